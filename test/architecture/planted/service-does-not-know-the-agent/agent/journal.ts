export const journal = [];
