/** Provider token of the product version, as package.json has it. */
export const PRODUCT_VERSION = Symbol('product version');
