import type { Milliseconds } from '../kernel/time.js';
import type { RateCounters, RateWindow } from '../ports/rate-counters.port.js';

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** A counter of a request, so that the request can be taken back. */
export interface RateCount {
  readonly limiter: string;
  readonly perMinute: number;
  readonly key: string;
}

const WINDOW_MS: Milliseconds = 60_000;

/** Fixed windows of a minute from the first request, one counter per limiter and key. */
export class RateLimits {
  constructor(
    private readonly counters: RateCounters,
    /** Multiplies every limit; 0 switches them off. */
    private readonly factor = 1,
  ) {}

  /** Counts one request; undefined if limits are switched off. */
  async count(count: RateCount): Promise<RateState | undefined> {
    return this.add(count, 1);
  }

  /** Takes one request back. */
  async uncount(count: RateCount): Promise<RateState | undefined> {
    const state = await this.add(count, -1);
    return state && { ...state, exceeded: false };
  }

  private async add({ limiter, perMinute, key }: RateCount, points: number): Promise<RateState | undefined> {
    if (this.factor === 0) return undefined;
    const limit = Math.max(1, Math.round(perMinute * this.factor));
    return stateOf(await this.counters.add(`${limiter}:${key}`, points, WINDOW_MS), limit);
  }
}

function stateOf({ consumed, leftMs }: RateWindow, limit: number): RateState {
  return {
    limit,
    remaining: Math.max(0, Math.min(limit, limit - consumed)),
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
    exceeded: consumed > limit,
  };
}
