export const category = 'job';
