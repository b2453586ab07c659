export const codes = [503];
