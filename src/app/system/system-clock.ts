import { instant, type Instant, type Milliseconds, Clock } from '../../kernel/time.js';

/** `setTimeout` fires longer delays at once. */
const MAX_DELAY: Milliseconds = 2 ** 31 - 1;

export class SystemClock extends Clock {
  now(): Instant {
    return instant(Date.now());
  }

  monotonic(): Milliseconds {
    return performance.now();
  }

  after(delay: Milliseconds, callback: () => void): () => void {
    if (delay > MAX_DELAY) return this.afterLong(delay, callback);
    const timeout = setTimeout(callback, Math.max(delay, 0)).unref();
    return () => clearTimeout(timeout);
  }

  private afterLong(delay: Milliseconds, callback: () => void): () => void {
    let cancel = this.after(MAX_DELAY, () => {
      cancel = this.after(delay - MAX_DELAY, callback);
    });
    return () => cancel();
  }
}
