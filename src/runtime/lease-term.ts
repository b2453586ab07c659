import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';

/** The time in which a lease is surely ours: it runs out by itself, also while the store keeps us waiting. */
export class LeaseTerm {
  private readonly controller = new AbortController();
  private cancel: () => void = () => undefined;

  /** Counts from now, the moment of asking for the lease: when the answer comes, the store has counted for a while. */
  constructor(
    private readonly clock: Clock,
    private readonly safeMs: Milliseconds,
  ) {
    this.cancel = this.extension();
  }

  /** Aborts when the term is over. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Asks for more time; it counts from the asking on, once `ask` resolves to true. False ends the term. */
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
