export const envelope = {};
