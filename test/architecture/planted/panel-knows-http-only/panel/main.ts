import { plus } from '../src/kernel/time.js';
export const later = plus;
