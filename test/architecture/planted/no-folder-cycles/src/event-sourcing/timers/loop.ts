import { append } from '../write/append.js';
export const loop = () => append();
