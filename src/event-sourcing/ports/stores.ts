import type { CheckpointStore, EventStore } from './event-store.port.js';
import type { HashStore } from './hash-store.port.js';
import type { IndexBlocks } from './index-blocks.port.js';
import type { StoredTexts } from './stored-texts.port.js';
import type { ContentStore } from './content-store.port.js';
import type { SingletonWorker, GroupLeases, Locks } from './group-leases.port.js';
import type { LivenessStore } from './liveness-store.port.js';
import type { ViewMaintenance, ViewStore } from './view-store.port.js';
import type { Rollback } from './view-writer.port.js';
import type { Instant } from '../../kernel/time.js';

export interface Stores {
  readonly events: EventStore;
  readonly views: ViewStore;
  readonly contents: ContentStore;
  readonly liveness: LivenessStore;
  readonly checkpoints: CheckpointStore;
  readonly maintenance: ViewMaintenance;
  readonly indexBlocks: IndexBlocks;
  readonly texts: StoredTexts;
  readonly hashes: HashStore;
  readonly locks: Locks;
  /** Present if the stores were opened with a module for it. */
  readonly reading?: ReadingThread;
  /** Embedded stores, and server stores with an archive. */
  readonly packing?: Packing;
  /** Present if several instances may share the stores. */
  readonly leases?: GroupLeases;
  /** Update the read models, if they follow a subscription: one for each partition, by the group of its lease. */
  readonly projectors?: ReadonlyMap<string, SingletonWorker>;
  /** After a rollback of the log, repeated until it resolves; only its `views` can be read meanwhile. */
  recoverWith?(recover: (views: ViewStore, rollback: Rollback) => Promise<void>): void;
  close(): Promise<void>;
}

/** A module of the caller, in a thread of its own that ends with the stores. */
export interface ReadingThread {
  /**
   * Starts the thread if there is none. Request and result are plain data. Not for concurrent calls.
   * @throws UnavailableError also if the thread ends; Error with the message of any other
   */
  call(request: unknown): Promise<unknown>;
}

/** What the module exports. Its texts and hashes have connections of their own. */
export interface ReadingModule {
  begin(sources: Pick<Stores, 'texts' | 'hashes'>): (request: never) => Promise<unknown>;
}

export interface PackingRule {
  /** Time of a stream's last event, or later. */
  readonly before: Instant;
  readonly categories: readonly string[];
  /** Types of events: a stream that ends with one of these leaves the store for a file of the archive. */
  readonly over?: readonly string[];
}

/** Compresses streams at rest. Reads give the same events before, meanwhile and afterwards. */
export interface Packing {
  /** Resolves to the number of packed streams. @throws UnavailableError; Error for an unreadable event */
  run(rule: PackingRule, signal?: AbortSignal): Promise<number>;
}
