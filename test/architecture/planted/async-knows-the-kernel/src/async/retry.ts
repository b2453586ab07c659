import { codes } from '../http/codes.js';
export const retried = codes;
