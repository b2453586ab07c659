export const client = 0;
