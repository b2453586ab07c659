import type { Milliseconds } from '../kernel/time.js';
import { UnavailableError } from '../ports/event-store.port.js';

/** The time that all tries of one thing have together, by a clock that only goes forward. */
export class Budget {
  private readonly began = performance.now();
  /** Timers may be a little early. */
  private ranOut = false;

  constructor(private readonly ms: Milliseconds) {}

  get isSpent(): boolean {
    return this.ranOut || this.left <= 0;
  }

  /** Waits no longer than there is time left; what was given up may still be carried out. @throws UnavailableError */
  async within<T>(work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const expiry = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.runOut()), Math.max(0, this.left));
    });
    try {
      return await Promise.race([work(), expiry]);
    } finally {
      clearTimeout(timer);
    }
  }

  private runOut(): UnavailableError {
    this.ranOut = true;
    return new UnavailableError(`no answer within ${this.ms} ms, all tries together`);
  }

  private get left(): Milliseconds {
    return this.ms - (performance.now() - this.began);
  }
}
