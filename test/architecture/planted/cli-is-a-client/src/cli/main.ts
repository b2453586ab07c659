import { now } from '../kernel/time.js';
export const started = now;
