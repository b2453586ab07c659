export const aggregates = [];
