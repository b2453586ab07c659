export const show = 'job';
