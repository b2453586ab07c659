import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';

const FIRST_PAUSE_MS: Milliseconds = 100;
const LONGEST_PAUSE_MS: Milliseconds = 10_000;

/** How long to wait after the n-th failure in a row, from 1: doubling, 100 ms to 10 s. */
function pauseAfter(failures: number): Milliseconds {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

/** The waits of something that runs until it is stopped: then all of them end at once. */
export class Patience {
  private readonly waiting = new Set<() => void>();
  private over = false;

  constructor(private readonly clock: Clock) {}

  get isOver(): boolean {
    return this.over;
  }

  wait(ms: Milliseconds): Promise<void> {
    if (this.over) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.waiting.delete(end);
        resolve();
      };
      const cancel = this.clock.after(ms, end);
      this.waiting.add(end);
    });
  }

  /** Repeats what fails until it succeeds; undefined when it was stopped before. */
  async insist<T>(work: () => Promise<T>, onError: (error: unknown) => void): Promise<T | undefined> {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (this.over) return undefined;
        onError(error);
        await this.wait(pauseAfter(failures));
      }
    }
  }

  end(): void {
    this.over = true;
    for (const end of this.waiting) end();
  }
}
