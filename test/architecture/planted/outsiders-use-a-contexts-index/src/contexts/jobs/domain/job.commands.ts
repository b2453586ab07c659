export const cancel = 'cancel';
