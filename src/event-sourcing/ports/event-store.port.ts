import type { ExpectedRevision } from '../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Milliseconds } from '../../kernel/time.js';

/** An event to append. Its id is made once per command and kept in every retry. */
export type NewEvent = Pick<RecordedEvent, 'id' | 'type' | 'data' | 'metadata'>;

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  /**
   * These ids were sent before, or may have been by another request, and that append may still be under way: the
   * stream may hold the answer before the store gives it.
   */
  readonly isRepeat?: boolean;
}

export interface Appended {
  /** Revision of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
  /** The stored events; a remote store may give all of them the position of the last. */
  readonly events: readonly RecordedEvent[];
}

export interface AppendOptions {
  /**
   * `projected`, the default: resolve when the read models contain the append (server stores: after one second at the
   * latest), so that writers read their own writes. `durable`: do not wait for the read models.
   */
  readonly consistency?: 'projected' | 'durable';
  /**
   * The appends concern different streams and may be stored in any order, so that a store behind a network takes
   * several at once. A failure or a crash leaves any of them.
   */
  readonly anyOrder?: boolean;
}

/** Calls are notifications only: read the stored events. */
export interface LogListener {
  /** For `appended`; absent: all. */
  readonly types?: ReadonlySet<string>;
  /**
   * In order, once projected; server stores: after some time also before, and then once more. @param after no event but
   * claims is missing since; absent: unknown
   */
  appended?(events: readonly RecordedEvent[], after?: Position): void;
  /** Server stores: events of every instance at once, before the read models show them. */
  remoteEvents?(events: readonly RecordedEvent[]): void;
  /** Server stores: a subscription begins, and delivers every event after `head`; events before are missed. */
  subscribed?(head: Position | undefined): void;
  /** Server stores: the log was rolled back. Invalidate every cache of events and folded states. */
  rolledBack?(): void;
}

/** One append is all or nothing; repeating it with the same ids and revision answers as the first time. */
export abstract class EventStore {
  /** @throws ConcurrencyError, UnavailableError, EventTooLargeError */
  abstract append(append: Append, options?: AppendOptions): Promise<Appended>;
  /**
   * Several appends in order: each is atomic, a crash leaves a prefix (the embedded store: all or none).
   * Stops at the first that fails; with `anyOrder` soon after it. @throws as `append`; `ConcurrencyError.stream` says which.
   */
  abstract appendInOrder(appends: readonly Append[], options?: AppendOptions): Promise<readonly Appended[]>;
  /** Events of a stream in revision order; a missing stream is empty. */
  abstract load(stream: string, options?: { from?: number; max?: number }): Promise<readonly RecordedEvent[]>;
  /**
   * Marks the events of the stream below this revision as no longer needed. A store may keep them, hide them from
   * `load`, or delete them later. The last event of a stream always stays, so revisions continue. Idempotent.
   * @throws UnavailableError
   */
  abstract truncate(stream: string, before: number): Promise<void>;
  /** All events in position order, exclusive of `after`. */
  abstract readAll(options: { after?: Position; max: number }): Promise<readonly RecordedEvent[]>;
  /** Position of the newest event, undefined while there is none. */
  abstract head(): Promise<Position | undefined>;
  /**
   * Stored events that the read models may lack; none if events and read models share a commit. Call it before
   * reading a read model: both together are complete.
   * @throws TooFarBehindError if this is not known
   */
  abstract unprojected(): Promise<readonly RecordedEvent[]>;
  /**
   * Resolves when the read models contain all events stored so far.
   * @param withinMs default one second
   * @throws UnavailableError on timeout
   */
  abstract waitUntilProjected(withinMs?: Milliseconds): Promise<void>;
  /**
   * Resolves when the read models contain these events, which were appended as `durable` (server stores: after one
   * second at the latest).
   */
  async untilShown(_events: readonly RecordedEvent[]): Promise<void> {}
  /**
   * Defined while the events of all instances arrive at once, and another object after each interruption, in which some
   * may have been missed or an older copy of the log put back. An embedded store is never interrupted.
   */
  hearing(): object | undefined {
    return undefined;
  }
  /** Returns a function that unsubscribes. */
  abstract listen(listener: LogListener): () => void;
  /**
   * Resolves once the store has proved that it holds every event it ever confirmed, unless an older copy of it was put
   * back: a server that lags, or was deposed, cannot. An embedded store never lags. @throws UnavailableError
   */
  async proveCurrent(): Promise<void> {}
  /** Readiness: resolves when the store can be read. */
  abstract check(): Promise<void>;
  abstract close(): Promise<void>;
}

export interface StoreMetrics {
  /**
   * Duration of an append, from the call to its result.
   * @param projected what was appended, if the read models share its transaction
   */
  appended(seconds: number, projected?: readonly Appended[]): void;
  /** One commit: its number of appends and its duration. */
  committed(appends: number, seconds: number): void;
}

export const noStoreMetrics: StoreMetrics = {
  appended: () => undefined,
  committed: () => undefined,
};

/**
 * Positions of readers of the log. A lost checkpoint costs a replay, which writes nothing, so readers may store
 * theirs rarely.
 */
export abstract class CheckpointStore {
  abstract get(name: string): Promise<Position | undefined>;
  /** Durable when it resolves. Never moves backwards: a position before the stored one is ignored. */
  abstract put(name: string, position: Position): Promise<void>;
  /**
   * Stores any text instead of `before` (undefined: of none), and resolves to true; false if another was stored
   * meanwhile. After a lost answer false may also follow the own change. Durable when it resolves.
   */
  abstract replace(name: string, before: string | undefined, text: string): Promise<boolean>;
}
