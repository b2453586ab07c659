export { now } from '../../bench/clock.js';
