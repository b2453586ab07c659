/** Of a request body, on every surface (contract, section 8). */
export const BODY_LIMIT_BYTES = 16_777_216;
