export const config = { timeout: 10 };
