import type { Position } from '../../../kernel/recorded-event.js';
import type { Milliseconds, Clock } from '../../../kernel/time.js';
import { ReadProgress } from '../../ports/remote-event-store.port.js';
import type { ReadStateCache } from './read-state-cache.js';
import type { ReadStateWatch } from './read-state-watch.js';

/** Poll interval while a caller waits for the projector of another instance, without a replica set. */
const POLL_MS: Milliseconds = 10;
/** Poll interval while a caller waits, and the local projector or a change stream reports each change. */
const CHECK_MS: Milliseconds = 100;
/** Poll interval otherwise: readers notice a switched view within this time. */
const REFRESH_MS: Milliseconds = 1_000;

interface Waiting {
  readonly position: Position;
  readonly end: (shown: boolean) => void;
}

/** One poll serves all waiters. */
export class MongoReadProgress extends ReadProgress {
  private readonly waiting = new Set<Waiting>();
  private cancelNext: (() => void) | undefined;
  private polling = false;
  private stopped = false;

  /** @param watch of the same state */
  constructor(
    private readonly state: ReadStateCache,
    private readonly watch: ReadStateWatch,
    private readonly clock: Clock,
  ) {
    super();
    state.onChange(() => this.settleWaiting());
    this.pollAfter(REFRESH_MS);
  }

  projected(): Position | undefined {
    return this.state.position;
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    if (this.shows(position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (shown: boolean) => {
        cancel();
        this.waiting.delete(entry);
        resolve(shown);
      };
      const cancel = this.clock.after(ms, () => end(this.shows(position)));
      const entry = { position, end };
      this.waiting.add(entry);
      if (this.waiting.size > 1 || this.polling) return;
      this.pollAfter(this.isTold ? CHECK_MS : 0);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelNext?.();
    for (const { end } of this.waiting) end(false);
    await this.watch.stop();
  }

  private shows(position: Position): boolean {
    const shown = this.projected();
    return shown !== undefined && shown >= position;
  }

  private get pollMs(): Milliseconds {
    if (this.waiting.size === 0) return REFRESH_MS;
    return this.isTold ? CHECK_MS : POLL_MS;
  }

  private get isTold(): boolean {
    return this.state.isProjectedHere || this.watch.isLive;
  }

  private settleWaiting(): void {
    for (const { position, end } of this.waiting) if (this.shows(position)) end(true);
  }

  private pollAfter(ms: Milliseconds): void {
    if (this.stopped) return;
    this.cancelNext?.();
    this.cancelNext = this.clock.after(ms, () => void this.poll());
  }

  private async poll(): Promise<void> {
    this.polling = true;
    // On failure the position stays; a reader that needs the store gets the error from its own read.
    await this.state.refresh().catch(() => undefined);
    this.polling = false;
    if (this.pollMs === POLL_MS) this.watch.start();
    this.pollAfter(this.pollMs);
  }
}
