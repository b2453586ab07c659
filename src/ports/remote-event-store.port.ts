import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { EventStore } from './event-store.port.js';

/** What a subscription hands over at once. */
export interface FeedBatch {
  /** In position order; may be empty when only the state of the subscription has changed. */
  readonly events: readonly RecordedEvent[];
  /**
   * Everything up to here was handed over: the position of the last event, or further where the store told that
   * nothing for us comes before. Storing it as a checkpoint skips nothing.
   */
  readonly position: Position | undefined;
  /** Nothing more was there when the batch was made: what comes next is new. */
  readonly caughtUp: boolean;
  /** The connection was lost after this batch and is being made again: what others write is seen late. */
  readonly interrupted: boolean;
}

export interface SubscribeOptions {
  /** Exclusive. Absent: from the first event there is. `end`: only what is appended from now on. */
  readonly after?: Position | 'end';
  /** The most events in one batch. */
  readonly max: number;
  /** Ends the iteration and releases the connection. */
  readonly signal: AbortSignal;
}

/**
 * An event store of other processes too: what they append is heard of by a subscription. Otherwise as `EventStore`,
 * with the same errors.
 */
export abstract class RemoteEventStore implements Omit<
  EventStore,
  'onAppended' | 'unprojected' | 'waitUntilProjected'
> {
  abstract append: EventStore['append'];
  abstract appendInOrder: EventStore['appendInOrder'];
  abstract load: EventStore['load'];
  abstract readAll: EventStore['readAll'];
  abstract head: EventStore['head'];
  abstract check: EventStore['check'];
  abstract close: EventStore['close'];
  /**
   * All events of the service in position order, at least once, without end: a lost subscription is made again from
   * the last event handed over. Never throws for a lost connection; a batch says that it was interrupted.
   */
  abstract subscribe(options: SubscribeOptions): AsyncIterable<FeedBatch>;
}
