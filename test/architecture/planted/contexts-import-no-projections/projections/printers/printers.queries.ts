export const getPrinter = {};
