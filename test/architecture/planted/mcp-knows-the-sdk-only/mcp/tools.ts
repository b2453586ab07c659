export { now } from '../src/kernel/clock.js';
