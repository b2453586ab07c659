export const apply = () => ({});
