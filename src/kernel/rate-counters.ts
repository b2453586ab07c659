import type { Milliseconds } from './time.js';

export interface RateWindow {
  readonly consumed: number;
  readonly leftMs: Milliseconds;
}

/** Fixed windows, each from the first point of its key: adding 0 only reads. */
export abstract class RateCounters {
  /** Negative points are removed; a count never falls below zero. */
  abstract add(key: string, points: number, windowMs: Milliseconds): Promise<RateWindow>;
}
