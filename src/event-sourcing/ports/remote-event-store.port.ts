import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { EventStore } from './event-store.port.js';
import { CorruptEventError } from '../../kernel/errors.js';
import type { Milliseconds } from '../../kernel/time.js';
import type { Partition } from './partitions.js';

export interface FeedBatch {
  /** In position order; may be empty if only the state of the subscription has changed. */
  readonly events: readonly RecordedEvent[];
  /**
   * Everything up to here was delivered: the position of the last event, or a later one if the store reported
   * that no event of ours comes before. Storing it as a checkpoint skips nothing.
   */
  readonly position: Position | undefined;
  /** No further event existed when the batch was made: later ones are new. */
  readonly caughtUp: boolean;
  /** The connection was lost after this batch and is being restored: events of other instances arrive late. */
  readonly interrupted: boolean;
}

export interface SubscribeOptions {
  /** Exclusive. Absent: from the first event. `end`: only events appended from now on. */
  readonly after?: Position | 'end';
  readonly max: number;
  /** Delivers events of these types only; default: all of the service. */
  readonly types?: readonly string[];
  /** Delivers events of its streams only, and then the position only now and then passes those of others. */
  readonly partition?: Partition;
  /** Ends the iteration and releases the connection. */
  readonly signal: AbortSignal;
}

export interface ReadAllOptions {
  /** Exclusive. Absent: from the first event. */
  readonly after?: Position;
  readonly max: number;
  readonly onCorrupt?: (error: CorruptEventError) => void;
}

/** With `onCorrupt`, an unreadable event is reported and left out. @throws CorruptEventError without it */
export function readable(
  read: () => RecordedEvent,
  onCorrupt: ReadAllOptions['onCorrupt'],
): readonly RecordedEvent[] {
  try {
    return [read()];
  } catch (error) {
    if (!onCorrupt || !(error instanceof CorruptEventError)) throw error;
    onCorrupt(error);
    return [];
  }
}

/**
 * An event store shared with other processes, whose appends arrive by a subscription. Otherwise like
 * `EventStore`, with the same errors.
 */
export abstract class RemoteEventStore implements Omit<
  EventStore,
  'listen' | 'hearing' | 'unprojected' | 'untilShown' | 'waitUntilProjected' | 'proveCurrent'
> {
  abstract append: EventStore['append'];
  abstract appendInOrder: EventStore['appendInOrder'];
  abstract load: EventStore['load'];
  abstract truncate: EventStore['truncate'];
  /** As EventStore.readAll; with `onCorrupt`, unreadable events are reported and left out. */
  abstract readAll(options: ReadAllOptions): Promise<readonly RecordedEvent[]>;
  /** Position of the newest event, or of the newest of these types. @throws UnavailableError */
  abstract head(types?: readonly string[]): Promise<Position | undefined>;
  /**
   * Position of the newest record of any kind, undefined for an empty log. It never decreases unless an older copy of the
   * log is put back, while the newest event of the service may be deleted. @throws UnavailableError
   */
  abstract end(): Promise<Position | undefined>;
  /**
   * False if the event that was once at this position is not part of the log: an older copy was put back and has grown
   * beyond it. True also if the event was deleted since. @throws UnavailableError
   */
  abstract holds(position: Position): Promise<boolean>;
  /**
   * Writes a record that no read, subscription or export shows, and resolves to its position. Only a leader with a
   * majority accepts it, so the position is beyond every record that was ever stored, unless an older copy of the log was
   * put back. @throws UnavailableError
   */
  abstract writeMarker(): Promise<Position>;
  abstract check: EventStore['check'];
  abstract close: EventStore['close'];
  /**
   * All events of the service in position order, at least once, without end: a lost subscription continues
   * after the last delivered event. Never throws for a lost connection; a batch reports the interruption.
   */
  abstract subscribe(options: SubscribeOptions): AsyncIterable<FeedBatch>;
}

export type PlacedEvent = Pick<RecordedEvent, 'stream' | 'position'>;

/** Largest position; undefined without an event. */
export function lastOf(events: readonly PlacedEvent[]): Position | undefined {
  return events.reduce<Position | undefined>(
    (last, { position }) => (last === undefined || position > last ? position : last),
    undefined,
  );
}

/** Progress of the read models that this instance reads; they may lag behind the events (docs/architecture.md, "The read side"). */
export abstract class ReadProgress {
  /**
   * Last known position of the read models; undefined before the first event. Reads a cached value.
   * @param stream its documents may be further than others; absent: all documents
   */
  abstract projected(stream?: string): Position | undefined;
  /** Resolves to true once reads of this instance include all events up to `position`, to false after `ms`. Never rejects. */
  abstract waitFor(position: Position, ms: Milliseconds): Promise<boolean>;
  /** As `waitFor`, for these events alone. */
  waitForEvents(events: readonly PlacedEvent[], ms: Milliseconds): Promise<boolean> {
    const last = lastOf(events);
    return last === undefined ? Promise.resolve(true) : this.waitFor(last, ms);
  }
  /** Of the read models that hold the documents of this stream; other partitions may be halted. */
  partOf(_stream: string): ReadProgress {
    return this;
  }
}
