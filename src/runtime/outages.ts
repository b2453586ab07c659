import type { Clock } from '../ports/clock.port.js';
import { UnavailableError } from '../ports/event-store.port.js';
import { backoff, pause } from './pauses.js';

/** What the stores cannot do now is done later: nothing is skipped (facts 3.6). */
export class Outages {
  constructor(
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Repeats work that may be repeated until the stores do it. @throws what else goes wrong; anything once `signal` aborts */
  async outlast<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let failures = 1; ; failures++) {
      signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !(error instanceof UnavailableError)) throw error;
        this.onError(error);
        await pause(this.clock, backoff(failures), signal);
      }
    }
  }
}
