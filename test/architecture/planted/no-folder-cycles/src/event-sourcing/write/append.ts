export const append = () => 'stored';
