import { Clock } from '../../../clock.js';
export const now = (clock: Clock) => clock.now();
