export const sha256 = () => '';
