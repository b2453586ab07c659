import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import { eventsOf, type Partition } from '../ports/partitions.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import { watchedFeed } from '../watched-feed.js';
import type { BatchProjector } from './batch-projector.js';
import type { StoreRetry } from '../../async/retry.js';
import { CorruptEventError, UnavailableError } from '../../kernel/errors.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { Clock } from '../../kernel/time.js';
import { ProjectionRunner, type StoredDocument } from './projection-runner.js';

const PAGE = 500;

/** What is read for a rebuild or a verification. */
export type ReplayedLog = Pick<
  RemoteEventStore,
  'readAll' | 'subscribe' | 'head' | 'end' | 'holds' | 'writeMarker'
>;

export interface ReplayOptions {
  /** Handled by the projector's views: the event store sends no others. */
  readonly types: readonly string[];
  readonly partition?: Partition;
  readonly clock: Clock;
  readonly retries: StoreRetry;
  /** Once it aborts, every method throws. */
  readonly signal: AbortSignal;
}

export class Replay {
  /** Of the last event that was folded and written. */
  private reached: Position | undefined;
  /** No event of these types is missing up to here; it may be the position of another event. */
  private read: Position | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: ReplayedLog,
    private readonly projector: BatchProjector,
    private readonly options: ReplayOptions,
  ) {}

  get position(): Position | undefined {
    return this.reached;
  }

  /** Folds all events up to the end of the log. @param pause awaited before each batch @throws PoisonEventError */
  async toEnd(pause: () => Promise<void>): Promise<void> {
    const { types, partition, clock, signal } = this.options;
    const feed = watchedFeed(this.events, { max: PAGE, types, partition, clock, signal });
    try {
      for await (const { events, position, caughtUp } of feed) {
        await pause();
        const read = this.read ?? '';
        const fresh = events.filter((event) => event.position > read);
        if (fresh.length > 0) await this.fold(fresh);
        if (position !== undefined && position > read) this.read = position;
        if (caughtUp) return await this.writing;
      }
    } catch (error) {
      if (error instanceof CorruptEventError) this.projector.refuse(error);
      throw error;
    }
    signal.throwIfAborted();
    throw new UnavailableError('the event store was closed during a replay', 'not_written');
  }

  /** Reads from the leader, which lacks nothing that was projected. @throws PoisonEventError */
  async upTo(position: Position | undefined): Promise<void> {
    while (position !== undefined && (this.read ?? '') < position) {
      const page = (await this.after(this.read)).filter((event) => event.position <= position);
      if (page.length === 0) return;
      const own = eventsOf(this.options.partition, page);
      if (own.length > 0) await this.fold(own);
      await this.writing;
      this.read = page.at(-1)!.position;
    }
  }

  /** Resolves when this page is folded and the one before it is written. */
  private async fold(page: readonly RecordedEvent[]): Promise<void> {
    const write = await this.options.retries.whileUnavailable(
      () => this.projector.begin(page),
      this.options.signal,
    );
    await this.writing;
    this.writing = this.write(write, page.at(-1)!.position);
    // The next fold or the end of the replay throws the error.
    this.writing.catch(() => undefined);
  }

  private async write(write: () => Promise<void>, last: Position): Promise<void> {
    await this.options.retries.whileUnavailable(write, this.options.signal);
    this.reached = last;
  }

  /** Omits damaged events unless a view handles them. @throws PoisonEventError */
  private after(position: Position | undefined): Promise<readonly RecordedEvent[]> {
    const onCorrupt = (error: CorruptEventError) => this.projector.refuse(error);
    const options = { ...(position !== undefined && { after: position }), max: PAGE, onCorrupt };
    return this.options.retries.whileUnavailable(() => this.events.readAll(options), this.options.signal);
  }
}

/** @param from the document before these events of its stream */
export function documentAt(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  key: string,
  from?: StoredDocument,
): StoredDocument | undefined {
  const ofKey = (event: RecordedEvent) => projection.keysOf(event).filter((one) => one === key);
  const runner = new ProjectionRunner([{ ...projection, keysOf: ofKey } as AnyProjection], () => from);
  const [write] = runner.fold(events);
  return write ? write.after : from;
}

/** All documents of a stream in one pass. @param events from its beginning */
export function documentsAt(projection: AnyProjection, events: Iterable<RecordedEvent>): StoredDocument[] {
  const runner = new ProjectionRunner([projection], () => undefined);
  return runner.fold(events).flatMap(({ after }) => after ?? []);
}
