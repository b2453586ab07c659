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
    let timeout: NodeJS.Timeout;
    const wait = (left: Milliseconds) => {
      const step = Math.min(Math.max(left, 0), MAX_DELAY);
      timeout = setTimeout(() => (left > step ? wait(left - step) : callback()), step).unref();
    };
    wait(delay);
    return () => clearTimeout(timeout);
  }
}
