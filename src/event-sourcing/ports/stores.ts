import type { CheckpointStore, EventStore } from './event-store.port.js';
import type { ContentStore } from './content-store.port.js';
import type { SingletonWorker, GroupLeases, Locks } from './group-leases.port.js';
import type { LivenessStore } from './liveness-store.port.js';
import type { ViewMaintenance, ViewStore } from './view-store.port.js';
import type { Rollback } from './view-writer.port.js';
import type { Instant } from '../../kernel/time.js';

/** All stores of one home, opened together and closed together. */
export interface Stores {
  readonly events: EventStore;
  readonly views: ViewStore;
  readonly contents: ContentStore;
  readonly liveness: LivenessStore;
  readonly checkpoints: CheckpointStore;
  readonly maintenance: ViewMaintenance;
  readonly locks: Locks;
  /** Present if the store grows in a file of its own. */
  readonly packing?: Packing;
  /**
   * Present if other instances may use these stores too: work for one instance at a time runs under a lease.
   */
  readonly leases?: GroupLeases;
  /** Present if the read models follow a subscription: lets the leader update them. */
  readonly projector?: SingletonWorker;
  /**
   * Present with `projector`. `recover` is called when the projector of this instance has rebuilt read models that were
   * ahead of a rolled-back log, and repeated until it resolves; meanwhile only the views it is given can be read.
   */
  recoverWith?(recover: (views: ViewStore, rollback: Rollback) => Promise<void>): void;
  close(): Promise<void>;
}

/** Which streams may be packed. */
export interface PackingRule {
  /** Time of a stream's last event, or later. */
  readonly before: Instant;
  readonly categories: readonly string[];
}

/** Compresses the events of streams at rest, between appends. Reads give the same events before, meanwhile and afterwards. */
export interface Packing {
  /**
   * Resolves to the number of packed streams when nothing is left to pack. @throws UnavailableError; Error if an event
   * cannot be read: it and those after it stay as they are
   */
  run(rule: PackingRule): Promise<number>;
}
