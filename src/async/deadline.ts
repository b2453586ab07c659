import type { Milliseconds } from '../kernel/time.js';
import { UnavailableError } from '../kernel/errors.js';

/** `work` may still complete after the timeout. @throws UnavailableError with unknown outcome */
export function withTimeout<T>(ms: Milliseconds, what: string, work: () => Promise<T>): Promise<T> {
  // Every append runs through here: one promise takes half the time of Promise.race.
  return new Promise((resolve, reject) => {
    const working = work();
    const expire = () => reject(new UnavailableError(`${what}: no answer within ${Math.round(ms)} ms`));
    const timer = setTimeout(expire, Math.max(0, ms));
    working.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}

/** Shared by all attempts of one call, on the monotonic clock. */
export class Deadline {
  private readonly began = performance.now();

  constructor(private readonly ms: Milliseconds) {}

  /** True from 5 ms before the end on: timers may fire a little early. */
  get hasPassed(): boolean {
    return this.left <= EARLY_MS;
  }

  /** Does not begin the work once the time is over. @throws UnavailableError */
  within<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (!this.hasPassed) return withTimeout(this.left, what, work);
    return Promise.reject(new UnavailableError(`${what}: no time is left`, 'not_written'));
  }

  private get left(): Milliseconds {
    return this.ms - (performance.now() - this.began);
  }
}

const EARLY_MS: Milliseconds = 5;
