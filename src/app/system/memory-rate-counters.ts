import type { Milliseconds, Clock } from '../../kernel/time.js';
import { RateCounters, type RateWindow } from '../../kernel/rate-counters.js';

interface Window {
  consumed: number;
  /** Monotonic. */
  readonly ends: Milliseconds;
}

const MAX_WINDOWS = 100_000;

export class MemoryRateCounters extends RateCounters {
  readonly #windows = new Map<string, Window>();
  #nextSweep = 0;

  constructor(private readonly clock: Clock) {
    super();
  }

  async add(key: string, points: number, windowMs: Milliseconds, limit = Infinity): Promise<RateWindow> {
    const now = this.clock.monotonic();
    this.#sweep(now, windowMs);
    let window = this.#windows.get(key);
    if (!window || window.ends <= now || (window.consumed === 0 && points > 0)) {
      this.#windows.delete(key);
      if (this.#windows.size >= MAX_WINDOWS) this.#windows.delete(this.#windows.keys().next().value!);
      window = { consumed: 0, ends: now + windowMs };
      this.#windows.set(key, window);
    }
    const consumed = Math.max(0, window.consumed + points);
    window.consumed = Math.min(consumed, limit);
    // The sum may be rounded up.
    return { consumed, leftMs: Math.min(windowMs, window.ends - now) };
  }

  #sweep(now: number, windowMs: Milliseconds): void {
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + windowMs;
    for (const [key, window] of this.#windows) if (window.ends <= now) this.#windows.delete(key);
  }
}
