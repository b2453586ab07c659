import type { Clock, Milliseconds } from '../kernel/time.js';

const GRACE: Milliseconds = 30_000;
/** Bytes a millisecond. */
const LEAST = 64;

/** Notices a client that takes less than 64 kB a second of an answer, beyond 30 seconds in all. */
export class ReadingPace {
  private left = GRACE;

  constructor(
    private readonly clock: Clock,
    private readonly onSlow: () => void,
  ) {}

  /** Returns a function to call when more is wanted, or nothing any more. */
  given(bytes: number): () => void {
    this.left = Math.min(GRACE, this.left + bytes / LEAST);
    const since = this.clock.monotonic();
    const cancel = this.clock.after(this.left, this.onSlow);
    return () => {
      cancel();
      this.left -= this.clock.monotonic() - since;
    };
  }
}
