import type { Time } from './time.js';
export interface Timer {
  at: Time;
}
