import { latest } from '../latest.js';
export const head = latest;
