import type { Milliseconds } from './time.js';

/** The fixed window of a key, after a count. */
export interface RateWindow {
  readonly consumed: number;
  /** Until the window ends. */
  readonly leftMs: Milliseconds;
}

/** Counts by key in fixed windows, each starting with the first point of its key: adding 0 only looks. */
export abstract class RateCounters {
  /** Adds points, or removes them if negative; a count never falls below zero. */
  abstract add(key: string, points: number, windowMs: Milliseconds): Promise<RateWindow>;
}
