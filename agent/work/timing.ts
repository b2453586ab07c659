import { setTimeout as pause } from 'node:timers/promises';

/**
 * Milliseconds since the call: the maximum of wall clock and monotonic clock, because the monotonic clock stops while a
 * computer sleeps and the wall clock can be set back.
 */
export function stopwatch(): () => number {
  const wall = Date.now();
  const monotonic = performance.now();
  return () => Math.max(Date.now() - wall, performance.now() - monotonic);
}

/** Lets a loop sleep until the next notification. A notification while awake ends the next sleep at once. */
export class WakeSignal {
  private notified = false;
  private pending: AbortController | undefined;

  readonly notify = (): void => {
    this.notified = true;
    this.pending?.abort();
  };

  /** Sleeps until `notify` or for `ms`; rejects when `signal` aborts. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.notified) {
      const pending = new AbortController();
      this.pending = pending;
      const stop = (): void => pending.abort();
      signal.addEventListener('abort', stop, { once: true });
      await pause(ms, undefined, { signal: pending.signal }).catch(() => undefined);
      signal.removeEventListener('abort', stop);
      this.pending = undefined;
    }
    this.notified = false;
    signal.throwIfAborted();
  }
}
