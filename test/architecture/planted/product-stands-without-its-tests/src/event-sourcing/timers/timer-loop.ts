import { ManualClock } from '../../../test/kit/manual-clock.js';
export const clock = new ManualClock();
