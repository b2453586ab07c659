import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { Position, CreationPosition } from '../../kernel/recorded-event.js';
import type { GroupLease } from './group-leases.port.js';

/** One build of a view: readers are on one, another may be filled beside it. */
export interface ViewBuild {
  readonly view: ViewDefinition;
  /** Opaque; names the place of its documents. Never given twice, not even when the read store was lost in between. */
  readonly location: string;
}

/** A document as it is kept; without one it is a tombstone: taken away by the event of this revision. */
export interface KeptDocument {
  readonly id: string;
  readonly document: ViewDocument | undefined;
  /** Revision of the last event folded into it. */
  readonly revision: number;
  /** Named as in the stored rows. */
  readonly creationPosition: CreationPosition;
}

/** What one event changed in a total of a view. */
export interface CountChange {
  /** `countKey` of the combination. */
  readonly key: string;
  /** Of the event. */
  readonly position: Position;
  readonly by: 1 | -1;
}

export interface BuildWrites {
  readonly build: ViewBuild;
  readonly documents: readonly KeptDocument[];
  /** What the events of these documents changed in the view's totals. */
  readonly counts?: readonly CountChange[];
}

/** A total that is not zero. */
export type KeptTotal = readonly [key: string, n: number];

/** How far the read models are. */
export interface ViewProgress {
  readonly position: Position | undefined;
  /** Of the lease under which it was last taken over. */
  readonly epoch: number;
  /** The builds were discarded because the log was rolled back; readers get none until `recovered`. */
  readonly rollback?: Rollback | undefined;
}

/** An older copy of the log was put back. */
export interface Rollback {
  /** Where the log ended when that was noticed. */
  readonly end: Position;
}

/** Something that only the holder of the lease can do, asked for by another instance. */
export type MaintenanceRequest =
  | { readonly id: string; readonly kind: 'rebuild'; readonly view: string }
  | { readonly id: string; readonly kind: 'verify' };

export interface MaintenanceAnswer {
  /** Absent when it was carried out. */
  readonly failure?: string;
  /** Plain JSON: what a verification found. */
  readonly result?: unknown;
}

/**
 * Writes read models that lag behind a subscription. Every document is gated by its revision, so that replays,
 * duplicates and two writers at once change nothing; documents first, progress after. Durable when it resolves.
 * What takes a lease resolves to false, and changes nothing, once a later epoch has taken over or the progress was
 * lost. @throws UnavailableError
 */
export abstract class ViewWriter {
  /**
   * Earlier epochs advance and activate nothing from now on. Begins the progress of a new or lost read store.
   * Undefined if a later epoch has taken over.
   */
  abstract takeOver(lease: GroupLease): Promise<ViewProgress | undefined>;
  /** The builds that readers use, at most one of a view; a view whose version has none is left out. */
  abstract active(views: readonly ViewDefinition[]): Promise<readonly ViewBuild[]>;
  /** A new, empty place with the view's indexes. Drops inactive builds of the view, except of a later epoch. */
  abstract begin(view: ViewDefinition, lease: GroupLease): Promise<ViewBuild>;
  /** Kept documents and tombstones of these ids; what is not there is left out. */
  abstract load(build: ViewBuild, ids: readonly string[]): Promise<readonly KeptDocument[]>;
  /**
   * Writes the totals before the documents: a stored document is never ahead of a total, so the totals stay exact
   * however batches are cut off, repeated, or written by two at once. Resolves to the number of stale documents.
   */
  abstract write(writes: readonly BuildWrites[]): Promise<number>;
  /** Moves the progress of the active builds forward, never back. */
  abstract advance(position: Position, lease: GroupLease): Promise<boolean>;
  /** The active builds contain all events up to `position`: releases those of this instance who wait for it. */
  abstract report(position: Position): void;
  /** How far the active builds are; undefined when the read store knows nothing. */
  abstract progress(): Promise<ViewProgress | undefined>;
  /** Readers change to this build in one step. The build before stays until the view is next built. Repeatable. */
  abstract activate(build: ViewBuild, lease: GroupLease): Promise<boolean>;
  /**
   * Removes position and builds, because the log ends before them. Until `recovered`, readers get ViewNotBuiltError
   * for every view. @param end where the log ends now
   */
  abstract rollBack(lease: GroupLease, end: Position): Promise<boolean>;
  /** Lets readers use the views again. */
  abstract recovered(lease: GroupLease): Promise<boolean>;
  /** Drops a build that never became active. */
  abstract discard(build: ViewBuild): Promise<void>;
  /** Documents (not tombstones) by creation position, for digests. */
  abstract all(build: ViewBuild): AsyncIterable<KeptDocument>;
  /** Totals of a view with `countBy`, by ascending key, for digests. */
  abstract totals(build: ViewBuild): AsyncIterable<KeptTotal>;
  /** Leaves a request for the holder of the lease. */
  abstract request(request: MaintenanceRequest): Promise<void>;
  /** Requests without an answer, oldest first. */
  abstract requested(): Promise<readonly MaintenanceRequest[]>;
  abstract answer(request: MaintenanceRequest, answer: MaintenanceAnswer): Promise<void>;
  /** Undefined: not answered yet. Answers are kept for an hour at least. */
  abstract answerOf(requestId: string): Promise<MaintenanceAnswer | undefined>;
}
