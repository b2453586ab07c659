export const serve = 0;
