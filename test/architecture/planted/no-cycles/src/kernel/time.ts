import type { Timer } from './timer.js';
export interface Time {
  timer: Timer;
}
