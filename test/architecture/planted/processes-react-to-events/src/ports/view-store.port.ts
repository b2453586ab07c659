export const views = [];
