import type { Milliseconds } from './time.js';

export interface RateWindow {
  /** Above the limit if the points were refused. */
  readonly consumed: number;
  readonly leftMs: Milliseconds;
}

/** Fixed windows, each from the first point of its key: adding 0 only reads. */
export abstract class RateCounters {
  /**
   * Negative points are removed; a count never falls below zero.
   * @param limit of the kept count: points beyond it are refused
   */
  abstract add(key: string, points: number, windowMs: Milliseconds, limit?: number): Promise<RateWindow>;
}
