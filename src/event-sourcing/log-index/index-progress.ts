import { setTimeout as sleep } from 'node:timers/promises';
import { Waiters } from '../../async/waiters.js';
import { UnavailableError } from '../../kernel/errors.js';
import type { Clock, Milliseconds } from '../../kernel/time.js';

const OPENING_MS: Milliseconds = 2_000;
const PROGRESS = 'progress';

/** Lets callers wait until the index has reached a position. */
export class IndexProgress {
  private isOpened = false;
  private readonly waiters: Waiters;

  constructor(clock: Clock) {
    this.waiters = new Waiters(clock);
  }

  opened(): void {
    this.isOpened = true;
    this.moved();
  }

  moved(): void {
    this.waiters.wake(PROGRESS);
  }

  /** @throws UnavailableError if it cannot be opened, as while the archive with its last event is away */
  async whenOpened(): Promise<void> {
    if (this.isOpened) return;
    const waiter = this.waiters.open(PROGRESS);
    const hasOpened = await waiter.wait(OPENING_MS);
    waiter.close();
    if (!hasOpened) throw new UnavailableError('the index is not open yet', 'not_written');
  }

  /** False after `ms`, in real time. */
  async reach(isReached: () => boolean, ms: Milliseconds): Promise<boolean> {
    const end = performance.now() + ms;
    const waiter = this.waiters.open(PROGRESS);
    try {
      for (let left = ms; !isReached() && left > 0; left = end - performance.now())
        await Promise.race([waiter.wait(ms), sleep(left, undefined, { ref: false })]);
    } finally {
      waiter.close();
    }
    return isReached();
  }
}
