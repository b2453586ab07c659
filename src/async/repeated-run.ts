import type { Milliseconds, Clock } from '../kernel/time.js';

/** Pauses after each run. Reports failures and goes on. */
export class RepeatedRun {
  private cancel: (() => void) | undefined;
  private running: Promise<void> = Promise.resolve();
  private ending = new AbortController();

  constructor(
    private readonly work: (signal: AbortSignal) => Promise<unknown>,
    private readonly pause: Milliseconds,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.ending = new AbortController();
    this.run(this.ending.signal);
  }

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

/** Requests during a run share the next one, so each gets a run that began after it. */
export class CoalescedRun<T = void> {
  private running: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  get isIdle(): boolean {
    return this.running === undefined && this.next === undefined;
  }

  request(): Promise<T> {
    if (this.running === undefined) return this.begin();
    return (this.next ??= this.running
      .finally(() => {
        this.next = undefined;
      })
      .then(() => this.begin()));
  }

  private begin(): Promise<T> {
    const running = this.work().finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return running;
  }
}
