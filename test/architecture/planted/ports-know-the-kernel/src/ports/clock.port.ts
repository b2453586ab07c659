import { latest } from '../runtime/latest.js';
export const clock = latest;
