export const due = () => 'now';
