import type { Instant, Milliseconds } from './time.js';

/** The only source of time. */
export abstract class Clock {
  abstract now(): Instant;
  /** Time since some moment; goes on evenly when the wall clock is set. */
  abstract monotonic(): Milliseconds;
  /** Calls back once after `delay`; the returned function cancels. Does not keep the process alive. */
  abstract after(delay: Milliseconds, callback: () => void): () => void;
}
