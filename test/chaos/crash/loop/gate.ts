import type { Answered, Call } from '../../../kit/http/client.js';
import { ServiceGone } from '../kit/service-process.js';
import type { World } from '../kit/world.js';

/** How clients reach a service that is killed now and then: they wait while it is away, and ask again. */
export class Gate {
  private closed: Promise<void> | undefined;
  private release: () => void = () => undefined;
  private over = false;
  /** Requests that got no answer. */
  unanswered = 0;

  constructor(private readonly world: World) {}

  close(): void {
    this.closed = new Promise((resolve) => (this.release = resolve));
  }

  open(): void {
    this.closed = undefined;
    this.release();
  }

  /** Nobody asks again: the run is over. */
  giveUp(): void {
    this.over = true;
    this.open();
  }

  /** The same request until it is answered by something else than a broken connection or a 503. */
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
