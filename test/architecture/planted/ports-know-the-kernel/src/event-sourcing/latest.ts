export const latest = 1;
