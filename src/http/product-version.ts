/** Provider token of the product version (package.json). */
export const PRODUCT_VERSION = Symbol('product version');
