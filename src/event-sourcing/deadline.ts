import type { Milliseconds } from '../kernel/time.js';
import { UnavailableError } from '../ports/event-store.port.js';

/**
 * Waits at most `ms` for `work`, which may still be carried out afterwards. The one race against a timer.
 * @throws UnavailableError `<what>: no answer within <ms> ms`, outcome unknown
 */
export async function withTimeout<T>(ms: Milliseconds, what: string, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    const expire = () => reject(new UnavailableError(`${what}: no answer within ${Math.round(ms)} ms`));
    timer = setTimeout(expire, Math.max(0, ms));
  });
  try {
    return await Promise.race([work(), expiry]);
  } finally {
    clearTimeout(timer);
  }
}

/** The time that all attempts of one call have together, by a clock that only goes forward. */
export class Deadline {
  private readonly began = performance.now();

  constructor(private readonly ms: Milliseconds) {}

  /** True from 5 ms before the end on: timers may fire a little early. */
  get hasPassed(): boolean {
    return this.left <= EARLY_MS;
  }

  /** Waits for `work` until the deadline. @throws UnavailableError */
  within<T>(what: string, work: () => Promise<T>): Promise<T> {
    return withTimeout(this.left, what, work);
  }

  private get left(): Milliseconds {
    return this.ms - (performance.now() - this.began);
  }
}

const EARLY_MS: Milliseconds = 5;
