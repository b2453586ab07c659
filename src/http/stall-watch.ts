import type { Milliseconds } from '../kernel/time.js';

/** A pause of the event loop above this many intervals is a stall: the process was frozen, or its machine slept. */
const INTERVALS = 2;

/**
 * Knows whether this process has just gone on after a stall. Timers then fire before the bytes that came meanwhile are
 * read, so clients look slower than they are.
 */
export class StallWatch {
  private tickedAt = performance.now();
  private forgivesUntil = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly everyMs: Milliseconds) {
    this.timer = setInterval(() => this.tick(), everyMs).unref();
  }

  /** True until one interval after the stall: by then, what came meanwhile is read. */
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
