import { SystemClock } from '../adapters/system/system-clock.js';
export const clock = new SystemClock();
