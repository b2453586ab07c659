import { verify } from '../../verifier/verify.mjs';

export const checked = verify;
