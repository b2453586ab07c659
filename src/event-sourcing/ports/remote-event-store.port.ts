import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { EventStore } from './event-store.port.js';
import type { CorruptEventError } from '../../kernel/errors.js';
import type { Milliseconds } from '../../kernel/time.js';

export interface FeedBatch {
  /** Empty if only the state of the subscription has changed. */
  readonly events: readonly RecordedEvent[];
  /** Safe as a checkpoint: all events up to here are delivered. May exceed the last event's position. */
  readonly position: Position | undefined;
  /** No further event existed when the batch was made: later ones are new. */
  readonly caughtUp: boolean;
  /** The connection is being restored: events of other instances arrive late. */
  readonly interrupted: boolean;
}

export interface SubscribeOptions {
  /** Exclusive. Absent: from the first event. `end`: only events appended from now on. */
  readonly after?: Position | 'end';
  readonly max: number;
  readonly types?: readonly string[];
  readonly signal: AbortSignal;
}

export interface ReadAllOptions {
  /** Exclusive. Absent: from the first event. */
  readonly after?: Position;
  readonly max: number;
  readonly onCorrupt?: (error: CorruptEventError) => void;
}

/** Shared with other processes, whose appends arrive by a subscription. Errors as `EventStore`. */
export abstract class RemoteEventStore implements Omit<
  EventStore,
  'listen' | 'unprojected' | 'waitUntilProjected' | 'proveCurrent'
> {
  abstract append: EventStore['append'];
  abstract appendInOrder: EventStore['appendInOrder'];
  abstract load: EventStore['load'];
  abstract truncate: EventStore['truncate'];
  /** As EventStore.readAll; `onCorrupt` receives unreadable events, which are left out. */
  abstract readAll(options: ReadAllOptions): Promise<readonly RecordedEvent[]>;
  /** Newest event, of these types if given. @throws UnavailableError */
  abstract head(types?: readonly string[]): Promise<Position | undefined>;
  /** Newest record of any kind; decreases only if an older copy is restored. @throws UnavailableError */
  abstract end(): Promise<Position | undefined>;
  /**
   * An invisible record beyond all others, unless an older copy was restored; needs a leader. @throws
   * UnavailableError
   */
  abstract writeMarker(): Promise<Position>;
  abstract check: EventStore['check'];
  abstract close: EventStore['close'];
  /** Endless, in position order, at least once; continues after lost connections, which a batch reports. */
  abstract subscribe(options: SubscribeOptions): AsyncIterable<FeedBatch>;
}

/** May lag behind the events (docs/architecture.md, "The read side"). */
export abstract class ReadProgress {
  /** Cached; undefined before the first event. */
  abstract projected(): Position | undefined;
  /** True once reads of this instance include the event at `position`, false after `ms`. Never rejects. */
  abstract waitFor(position: Position, ms: Milliseconds): Promise<boolean>;
}
