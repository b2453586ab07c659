export const printer = 'PR-0000ABCD';
