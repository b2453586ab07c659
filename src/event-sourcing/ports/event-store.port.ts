import type { ExpectedRevision } from '../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Milliseconds } from '../../kernel/time.js';

/** The id is made once per command and kept in every retry. */
export type NewEvent = Pick<RecordedEvent, 'id' | 'type' | 'data' | 'metadata'>;

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  /** The ids may have been sent before, by an append that is possibly still under way. */
  readonly isRepeat?: boolean;
}

export interface Appended {
  readonly revision: number;
  readonly position: Position;
  /** A remote store may give all of them the position of the last. */
  readonly events: readonly RecordedEvent[];
}

export interface AppendOptions {
  /** `projected` (default): resolve when the read models contain the append, or after one second. */
  readonly consistency?: 'projected' | 'durable';
  /** Different streams, stored in any order and concurrently. A failure or a crash leaves any of them. */
  readonly anyOrder?: boolean;
}

/** Calls are notifications only: read the stored events. */
export interface LogListener {
  /** For `appended`; absent: all. */
  readonly types?: ReadonlySet<string>;
  /** In order, once projected. @param after no event but claims is missing since; absent: unknown */
  appended?(events: readonly RecordedEvent[], after?: Position): void;
  /** Server stores: events of every instance at once, before the read models show them. */
  remoteEvents?(events: readonly RecordedEvent[]): void;
  /** Server stores: a subscription begins, and delivers every event after `head`; events before are missed. */
  subscribed?(head: Position | undefined): void;
  /** Server stores: the log was rolled back. Invalidate every cache of events and folded states. */
  rolledBack?(): void;
}

/** An append is atomic; repeating it with the same ids and revision gives the same answer. */
export abstract class EventStore {
  /** @throws ConcurrencyError, UnavailableError, EventTooLargeError */
  abstract append(append: Append, options?: AppendOptions): Promise<Appended>;
  /**
   * A crash leaves a prefix (embedded store: all or none). Stops soon after a failure. @throws as `append`
   */
  abstract appendInOrder(appends: readonly Append[], options?: AppendOptions): Promise<readonly Appended[]>;
  /** In revision order; a missing stream is empty. */
  abstract load(stream: string, options?: { from?: number; max?: number }): Promise<readonly RecordedEvent[]>;
  /** Earlier events may be hidden or deleted, the last event never. Idempotent. @throws UnavailableError */
  abstract truncate(stream: string, before: number): Promise<void>;
  /** In position order, exclusive of `after`. */
  abstract readAll(options: { after?: Position; max: number }): Promise<readonly RecordedEvent[]>;
  /** Undefined for an empty log. */
  abstract head(): Promise<Position | undefined>;
  /**
   * Events that the read models may lack. Call before reading a view. @throws UnavailableError if too many
   */
  abstract unprojected(): Promise<readonly RecordedEvent[]>;
  /** For all events stored so far. @param withinMs default one second @throws UnavailableError */
  abstract waitUntilProjected(withinMs?: Milliseconds): Promise<void>;
  /** Returns a function that unsubscribes. */
  abstract listen(listener: LogListener): () => void;
  /**
   * A lagging or deposed server cannot prove that it holds every confirmed event. @throws UnavailableError
   */
  async proveCurrent(): Promise<void> {}
  abstract check(): Promise<void>;
  abstract close(): Promise<void>;
}

export interface StoreMetrics {
  /** From the call to its result. */
  appended(seconds: number): void;
  committed(appends: number, seconds: number): void;
}

export const noStoreMetrics: StoreMetrics = {
  appended: () => undefined,
  committed: () => undefined,
};

/** Positions of readers of the log. May be stored rarely: a lost one costs a replay, which writes nothing. */
export abstract class CheckpointStore {
  abstract get(name: string): Promise<Position | undefined>;
  /** Durable when it resolves. Ignores a position before the stored one. */
  abstract put(name: string, position: Position): Promise<void>;
}
