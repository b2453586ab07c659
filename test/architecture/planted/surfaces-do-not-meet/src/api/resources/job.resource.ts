export const resource = 'job';
