import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../kernel/clock.js';

export const DAY_MS: Milliseconds = 24 * 3_600_000;

/** Runs `work` at the start and again a while after each run; a run that fails is reported, and the next one follows. */
export class RepeatedRun {
  private cancel: (() => void) | undefined;
  private running: Promise<void> = Promise.resolve();
  private ending = new AbortController();

  /** @param work ends early when its signal aborts */
  constructor(
    private readonly work: (signal: AbortSignal) => Promise<unknown>,
    private readonly pause: Milliseconds,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** May be called again after `stop`. */
  start(): void {
    this.ending = new AbortController();
    this.run(this.ending.signal);
  }

  /** Resolves when the current run has ended. */
  stop(): Promise<void> {
    this.ending.abort();
    this.cancel?.();
    return this.running;
  }

  private run(signal: AbortSignal): void {
    this.running = this.work(signal)
      .then(() => undefined, this.onError)
      .then(() => {
        if (!signal.aborted) this.cancel = this.clock.after(this.pause, () => this.run(signal));
      });
  }
}
