import type { Milliseconds } from '../../../kernel/time.js';
import type { Clock } from '../../../kernel/clock.js';

/** Tracks how long this instance certainly holds a lease. It expires even while a renewal waits for the store. */
export class LeaseRenewal {
  private readonly controller = new AbortController();
  private cancel: () => void = () => undefined;

  /** Counts from the request on, because the store counts before its answer arrives. */
  constructor(
    private readonly clock: Clock,
    private readonly safeMs: Milliseconds,
  ) {
    this.cancel = this.extension();
  }

  /** Aborts when the lease may be lost. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Extends the time, counted from this call, once `ask` resolves to true; false ends it; undefined changes nothing. */
  async prolong(ask: () => Promise<boolean | undefined>): Promise<void> {
    const cancel = this.extension();
    const granted = await ask();
    if (granted) {
      this.cancel();
      this.cancel = cancel;
    } else {
      cancel();
      if (granted === false) this.end();
    }
    if (this.signal.aborted) this.cancel();
  }

  readonly end = (): void => {
    this.cancel();
    this.controller.abort();
  };

  private extension(): () => void {
    return this.clock.after(this.safeMs, this.end);
  }
}
