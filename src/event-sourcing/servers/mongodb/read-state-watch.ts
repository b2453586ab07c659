import { MongoServerError, type ChangeStream, type Collection } from 'mongodb';
import type { Clock, Milliseconds } from '../../../kernel/time.js';
import { pause } from '../../../async/pauses.js';
import type { ReadState, ReadStateCache } from './read-state-cache.js';

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

  /** Repeatable. Ends by itself while the projector of this instance reports, and where there is no replica set. */
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
