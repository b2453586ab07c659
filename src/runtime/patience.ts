import { setMaxListeners } from 'node:events';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import { backoff, pause } from './pauses.js';

/** The waits of something that runs until it is stopped: then all of them end at once. */
export class Patience {
  private readonly ending = new AbortController();

  constructor(private readonly clock: Clock) {
    // As many wait at once as there is work under way.
    setMaxListeners(0, this.ending.signal);
  }

  get isOver(): boolean {
    return this.ending.signal.aborted;
  }

  wait(ms: Milliseconds): Promise<void> {
    return pause(this.clock, ms, this.ending.signal);
  }

  /** Repeats what fails until it succeeds; undefined when it was stopped before. */
  async insist<T>(work: () => Promise<T>, onError: (error: unknown) => void): Promise<T | undefined> {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (this.isOver) return undefined;
        onError(error);
        await this.wait(backoff(failures));
      }
    }
  }

  end(): void {
    this.ending.abort();
  }
}
