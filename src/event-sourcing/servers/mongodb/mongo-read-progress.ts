import type { Position } from '../../../kernel/recorded-event.js';
import type { Milliseconds, Clock } from '../../../kernel/time.js';
import { ReadProgress } from '../../ports/remote-event-store.port.js';
import type { ReadStateCache, ReadState } from './read-state-cache.js';
import { MongoServerError, type ChangeStream, type Collection } from 'mongodb';
import { pause } from '../../../async/pauses.js';

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
      this.pollAfter(this.isNotified ? CHECK_MS : 0);
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
    return this.isNotified ? CHECK_MS : POLL_MS;
  }

  private get isNotified(): boolean {
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

const RETRY_MS: Milliseconds = 1_000;
/** source: error_codes.yml of the server, db/pipeline/document_source_change_stream.cpp */
const NEEDS_A_REPLICA_SET = 40573;

/** Brings each change of the read state, as soon as a majority of a replica set has it. */
export class ReadStateWatch {
  private readonly stopping = new AbortController();
  private running = false;
  private unsupported = false;
  private live = false;
  private stream: ChangeStream<ReadState> | undefined;

  constructor(
    private readonly collection: Collection<ReadState>,
    private readonly state: ReadStateCache,
    private readonly clock: Clock,
  ) {}

  /** Every change since this became true has been brought, or is on its way. */
  get isLive(): boolean {
    return this.live;
  }

  /** Idempotent. The watch ends while the projector of this instance reports, and without a replica set. */
  start(): void {
    if (this.running || this.unsupported || this.stopping.signal.aborted) return;
    this.running = true;
    void this.run().finally(() => (this.running = false));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.stream?.close();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && !this.unsupported && !this.state.isProjectedHere) {
      this.stream = this.collection.watch([], { fullDocument: 'updateLookup' });
      try {
        await this.follow(this.stream);
      } catch (error) {
        // A reader that needs the store gets the error from its own read.
        this.unsupported = error instanceof MongoServerError && error.code === NEEDS_A_REPLICA_SET;
      }
      this.live = false;
      await this.stream.close().catch(() => undefined);
      if (!this.unsupported) await pause(this.clock, RETRY_MS, signal);
    }
  }

  /** The first answer only tells that the stream is open. Ends with a state that was deleted. @throws errors of the driver */
  private async follow(stream: ChangeStream<ReadState>): Promise<void> {
    while (!this.stopping.signal.aborted && !this.state.isProjectedHere && !stream.closed) {
      const change = await stream.tryNext();
      if (change) {
        // After a drop the driver answers for ever that nothing has changed.
        if (!('fullDocument' in change) || !change.fullDocument) return;
        if (this.state.mayBeOlder(change.fullDocument)) await this.state.refresh();
        else this.state.changed(change.fullDocument);
      } else if (!this.live) await this.state.refresh();
      this.live = true;
    }
  }
}
