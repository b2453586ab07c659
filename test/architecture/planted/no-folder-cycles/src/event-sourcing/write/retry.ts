import { due } from '../timers/due.js';
export const retry = () => due();
