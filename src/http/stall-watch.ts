import type { Milliseconds } from '../kernel/time.js';

/** Longer than this many intervals: the process was frozen, or its machine slept. */
const INTERVALS = 2;

/** After a stall, timers fire before pending bytes are read, so clients look slower than they are. */
export class StallWatch {
  private tickedAt = performance.now();
  private forgivesUntil = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly everyMs: Milliseconds) {
    this.timer = setInterval(() => this.tick(), everyMs).unref();
  }

  /** Until one interval after the stall: by then all pending bytes are read. */
  get hasJustStalled(): boolean {
    return this.isLate || performance.now() < this.forgivesUntil;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private get isLate(): boolean {
    return performance.now() - this.tickedAt > INTERVALS * this.everyMs;
  }

  private tick(): void {
    const now = performance.now();
    if (this.isLate) this.forgivesUntil = now + this.everyMs;
    this.tickedAt = now;
  }
}
