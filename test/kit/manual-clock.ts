import { epochMs, instant, plus, type Instant, type Milliseconds, Clock } from '../../src/kernel/time.js';
import { NOON } from './recorded.js';

interface Waiting {
  readonly due: Milliseconds;
  readonly callback: () => void;
}

/** Clock advanced by tests; due callbacks run in order. */
export class ManualClock extends Clock {
  private readonly waiting = new Set<Waiting>();
  /** Time passed since the start by `advance` alone: setting the clock does not fire timers. */
  private passed: Milliseconds = 0;

  constructor(private current: Instant = NOON) {
    super();
  }

  now(): Instant {
    return this.current;
  }

  monotonic(): Milliseconds {
    return this.passed;
  }

  after(delay: Milliseconds, callback: () => void): () => void {
    const entry = { due: this.passed + Math.max(0, delay), callback };
    this.waiting.add(entry);
    return () => this.waiting.delete(entry);
  }

  /** Number of scheduled callbacks. */
  get pending(): number {
    return this.waiting.size;
  }

  /** Advances time; each callback sees its own due time as the current time. */
  advance(ms: Milliseconds): void {
    const end = this.passed + ms;
    for (let next = this.earliest(end); next; next = this.earliest(end)) {
      this.pass(next.due - this.passed);
      this.waiting.delete(next);
      next.callback();
    }
    this.pass(end - this.passed);
  }

  /** Sets the wall clock forwards or back; scheduled callbacks keep their remaining time. */
  set(at: Instant): void {
    this.current = instant(epochMs(at));
  }

  private pass(ms: Milliseconds): void {
    this.passed += ms;
    this.current = plus(this.current, ms);
  }

  private earliest(end: Milliseconds): Waiting | undefined {
    return [...this.waiting].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
  }
}
