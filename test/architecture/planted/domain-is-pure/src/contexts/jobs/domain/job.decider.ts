import { Clock } from '../../../ports/clock.port.js';
export const now = (clock: Clock) => clock.now();
