import type { Milliseconds, Clock } from '../kernel/time.js';

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

/** Undefined if `signal` aborts first. @param waited never rejects */
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
