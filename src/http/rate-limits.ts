import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { ClockedLimiter } from './clocked-limiter.js';
import type { Clock } from '../ports/clock.port.js';

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** A counter a request was counted in, so that it can be taken back. */
export interface RateCount {
  readonly limiter: string;
  readonly perMinute: number;
  readonly key: string;
}

const WINDOW_SECONDS = 60;

export type LimiterFactory = (name: string, points: number, seconds: number) => RateLimiterAbstract;

/** Counters in this process, by the clock port; the server stores give a factory of shared ones instead. */
export const inMemory =
  (clock: Clock): LimiterFactory =>
  (keyPrefix, points, duration) =>
    new ClockedLimiter({ keyPrefix, points, duration }, clock);

/** Fixed windows of a minute from the first request, one counter per name and key. */
export class RateLimits {
  readonly #limiters = new Map<string, { limiter: RateLimiterAbstract; points: number }>();

  constructor(
    private readonly make: LimiterFactory,
    /** Multiplies every limit; 0 switches them off. */
    private readonly factor = 1,
  ) {}

  /** Counts one request; undefined when limits are switched off. */
  async count(count: RateCount): Promise<RateState | undefined> {
    if (this.factor === 0) return undefined;
    const { limiter, points } = this.#limiter(count);
    try {
      return stateOf(await limiter.consume(count.key), points, false);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return stateOf(refused, points, true);
      throw refused;
    }
  }

  /** Takes one request back, as if it had not come. */
  async uncount(count: RateCount): Promise<RateState | undefined> {
    if (this.factor === 0) return undefined;
    const { limiter, points } = this.#limiter(count);
    return stateOf(await limiter.reward(count.key), points, false);
  }

  #limiter({ limiter: name, perMinute }: RateCount) {
    let made = this.#limiters.get(name);
    if (!made) {
      const points = Math.max(1, Math.round(perMinute * this.factor));
      made = { limiter: this.make(name, points, WINDOW_SECONDS), points };
      this.#limiters.set(name, made);
    }
    return made;
  }
}

function stateOf(res: RateLimiterRes, limit: number, exceeded: boolean): RateState {
  return {
    limit,
    remaining: Math.max(0, Math.min(limit, res.remainingPoints)),
    resetSeconds: Math.max(1, Math.ceil(res.msBeforeNext / 1000)),
    exceeded,
  };
}
