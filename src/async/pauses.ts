import type { Milliseconds, Clock } from '../kernel/time.js';

/** Waits, but no longer than `signal` lets it. */
export function pause(clock: Clock, ms: Milliseconds, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}

/** What never rejects, but waited for no longer than `signal` lets it; then undefined. */
export function settledOrAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    const done = (value?: T) => {
      signal.removeEventListener('abort', aborted);
      resolve(value);
    };
    const aborted = () => done();
    signal.addEventListener('abort', aborted);
    void waited.then(done);
  });
}
