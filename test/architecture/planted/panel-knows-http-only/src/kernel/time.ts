export const plus = 1;
