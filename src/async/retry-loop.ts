import { setMaxListeners } from 'node:events';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../kernel/clock.js';
import { pause } from './pauses.js';
import { exponentialBackoff, retry } from './retry.js';

/** Retries and waits of a background loop; `stop` ends all of them at once. */
export class RetryLoop {
  private readonly stopping = new AbortController();

  constructor(private readonly clock: Clock) {
    // Each piece of work under way may wait on this signal.
    setMaxListeners(0, this.stopping.signal);
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  wait(ms: Milliseconds): Promise<void> {
    return pause(this.clock, ms, this.stopping.signal);
  }

  /** Repeats `work` until it succeeds. A stop allows one last attempt, then it resolves to undefined. */
  async retryUntilStopped<T>(
    work: () => Promise<T>,
    onError: (error: unknown) => void,
  ): Promise<T | undefined> {
    try {
      return await retry(work, {
        when: () => true,
        wait: (failures) => this.wait(exponentialBackoff(failures)),
        signal: this.stopping.signal,
        onError,
      });
    } catch {
      // `when` lets every error pass, so only the signal ends the retrying.
      return undefined;
    }
  }

  stop(): void {
    this.stopping.abort();
  }
}
