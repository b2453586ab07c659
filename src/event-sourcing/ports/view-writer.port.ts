import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { Position, CreationPosition } from '../../kernel/recorded-event.js';
import type { GroupLease } from './group-leases.port.js';

/** One build of a view: readers use one, another may be filled beside it. */
export interface ViewBuild {
  readonly view: ViewDefinition;
  /** Opaque location of its documents. Never reused, even after a loss of the read store. */
  readonly location: string;
  /** Written in the form of an earlier release: usable, but due for a rebuild. */
  readonly isOutdated?: boolean;
}

/** Without a document it is a tombstone: the event of this revision deleted it. */
export interface KeptDocument {
  readonly id: string;
  readonly document: ViewDocument | undefined;
  readonly revision: number;
  /** Creation position; named as in the stored rows. */
  readonly creationPosition: CreationPosition;
}

export interface CountChange {
  readonly key: string;
  readonly position: Position;
  readonly by: 1 | -1;
}

export interface BuildWrites {
  readonly build: ViewBuild;
  readonly documents: readonly KeptDocument[];
  readonly counts?: readonly CountChange[];
}

/** Not zero. */
export type KeptTotal = readonly [key: string, n: number];

export interface ViewProgress {
  readonly position: Position | undefined;
  readonly epoch: number;
  /** The builds were discarded after a rollback; readers get none until `recovered`. */
  readonly rollback?: Rollback | undefined;
}

/** An older copy of the log was restored. */
export interface Rollback {
  /** End of the log at the detection; undefined if an earlier release detected it. */
  readonly end: Position | undefined;
}

export type MaintenanceRequest =
  | { readonly id: string; readonly kind: 'rebuild'; readonly view: string }
  | { readonly id: string; readonly kind: 'verify' };

export interface MaintenanceAnswer {
  /** Absent on success. */
  readonly failure?: string;
  /** Plain JSON: findings of a verification. */
  readonly result?: unknown;
}

/**
 * Gates every document by its revision, so that replays, duplicates and concurrent writers change nothing.
 * Durable when it resolves. @throws UnavailableError
 */
export abstract class ViewWriter {
  /** Fences earlier epochs, initialises an empty read store. Undefined if a later epoch has taken over. */
  abstract takeOver(lease: GroupLease): Promise<ViewProgress | undefined>;
  /** At most one per view; omits views without a build of their version. */
  abstract active(views: readonly ViewDefinition[]): Promise<readonly ViewBuild[]>;
  /** May drop inactive builds of this and earlier epochs, never of a later one. */
  abstract begin(view: ViewDefinition, lease: GroupLease): Promise<ViewBuild>;
  /** Includes tombstones, omits missing ids. */
  abstract load(build: ViewBuild, ids: readonly string[]): Promise<readonly KeptDocument[]>;
  /** Totals before documents, so that totals stay exact. Resolves to the number of stale documents. */
  abstract write(writes: readonly BuildWrites[]): Promise<number>;
  /** Never moves back. False, without a change, if a later epoch has taken over or the progress was lost. */
  abstract advance(position: Position, lease: GroupLease): Promise<boolean>;
  /** The active builds contain all events up to `position`: wakes the waiters of this instance. */
  abstract report(position: Position): void;
  /** Undefined if the read store is empty. */
  abstract progress(): Promise<ViewProgress | undefined>;
  /** Idempotent. Keeps the old build until the next one begins, for readers that lag. False as `advance`. */
  abstract activate(build: ViewBuild, lease: GroupLease): Promise<boolean>;
  /** Until `recovered`, readers get ViewNotBuiltError. False as `advance`. @param end of the log */
  abstract rollBack(lease: GroupLease, end: Position): Promise<boolean>;
  /** Lets readers use the views again. False as `advance`. */
  abstract recovered(lease: GroupLease): Promise<boolean>;
  abstract discard(build: ViewBuild): Promise<void>;
  /** Documents, not tombstones, by creation position, for digests. */
  abstract all(build: ViewBuild): AsyncIterable<KeptDocument>;
  /** By ascending key, for digests; empty if the build is outdated. */
  abstract totals(build: ViewBuild): AsyncIterable<KeptTotal>;
  abstract request(request: MaintenanceRequest): Promise<void>;
  /** Without an answer, oldest first. */
  abstract requested(): Promise<readonly MaintenanceRequest[]>;
  abstract answer(request: MaintenanceRequest, answer: MaintenanceAnswer): Promise<void>;
  /** Undefined: no answer yet. Answers are kept for an hour at least. */
  abstract answerOf(requestId: string): Promise<MaintenanceAnswer | undefined>;
}
