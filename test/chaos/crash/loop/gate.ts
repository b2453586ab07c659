import type { Answered, Call } from '../../../kit/http/client.js';
import { ServiceGone } from '../kit/service-process.js';
import type { World } from '../kit/world.js';

/** Requests to a service that is killed at times: waits while it is down, then repeats. */
export class Gate {
  private closed: Promise<void> | undefined;
  private release: () => void = () => undefined;
  private over = false;
  /** Number of requests without an answer. */
  unanswered = 0;

  constructor(private readonly world: World) {}

  close(): void {
    this.closed = new Promise((resolve) => (this.release = resolve));
  }

  open(): void {
    this.closed = undefined;
    this.release();
  }

  /** Stops repeating, because the run is over. */
  giveUp(): void {
    this.over = true;
    this.open();
  }

  /** Repeats the request until the answer is neither a broken connection nor a 503. */
  async call(method: string, path: string, call: Call): Promise<Answered> {
    for (;;) {
      await this.closed;
      try {
        const answered = await this.world.call(method, path, call);
        if (answered.status !== 503) return answered;
      } catch (error) {
        if (!(error instanceof ServiceGone) || this.over) throw error;
        this.unanswered++;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
