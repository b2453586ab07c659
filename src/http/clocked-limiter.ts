import { RateLimiterMemory, RateLimiterRes, type IRateLimiterOptions } from 'rate-limiter-flexible';
import { epochMs } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';

interface Window {
  consumed: number;
  /** Epoch milliseconds. */
  readonly ends: number;
}

/** Counters in memory that take the time from the clock port; the library's own reads the wall clock. */
export class ClockedLimiter extends RateLimiterMemory {
  readonly #windows = new Map<string | number, Window>();
  #nextSweep = 0;

  constructor(
    options: IRateLimiterOptions,
    private readonly clock: Clock,
  ) {
    super(options);
  }

  override async consume(key: string | number, points = 1): Promise<RateLimiterRes> {
    const counted = this.#add(key, points);
    if (counted.consumedPoints > this.points) throw counted;
    return counted;
  }

  override async reward(key: string | number, points = 1): Promise<RateLimiterRes> {
    return this.#add(key, -points);
  }

  #add(key: string | number, points: number): RateLimiterRes {
    const now = epochMs(this.clock.now());
    this.#sweep(now);
    let window = this.#windows.get(key);
    if (!window || window.ends <= now) {
      window = { consumed: 0, ends: now + this.msDuration };
      this.#windows.set(key, window);
    }
    window.consumed = Math.max(0, window.consumed + points);
    const remaining = Math.max(0, this.points - window.consumed);
    return new RateLimiterRes(remaining, window.ends - now, window.consumed, window.consumed === points);
  }

  #sweep(now: number): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + this.msDuration;
    for (const [key, window] of this.#windows) if (window.ends <= now) this.#windows.delete(key);
  }
}
