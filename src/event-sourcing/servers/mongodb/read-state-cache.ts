import { ObjectId, type Collection } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import type { ViewDefinition } from '../../../kernel/projection.js';
import { elapsed, type Instant, type Milliseconds, type Clock } from '../../../kernel/time.js';
import { ViewNotBuiltError } from '../../ports/view-store.port.js';
import { CoalescedRun } from '../../../async/repeated-run.js';
import { calling } from './mongo-errors.js';

/** View, version, epoch and form: `job_view_v3_17_6740…_d_t_o`. `_t`: keeps totals. */
export type CollectionName = string;

/** Unused, even after data loss. */
export function newCollectionName(view: ViewDefinition, epoch: number): CollectionName {
  return `${prefixOf(view)}${view.version}_${epoch}_${new ObjectId().toHexString()}${formOf(view)}`;
}

/** False also for the forms of earlier releases, which this one cannot read. */
export function isOfVersion(collection: CollectionName, view: ViewDefinition): boolean {
  return collection.startsWith(`${prefixOf(view)}${view.version}_`) && collection.endsWith(formOf(view));
}

/** Undefined for collections of other views. */
export function epochIn(collection: CollectionName, view: ViewDefinition): number | undefined {
  const prefix = prefixOf(view);
  if (!collection.startsWith(prefix)) return undefined;
  const parts = /^\d+_(\d+)_[0-9a-f]{24}[_dto]*$/.exec(collection.slice(prefix.length));
  return parts ? Number(parts[1]) : undefined;
}

const prefixOf = ({ name }: ViewDefinition) => `${name.replaceAll('-', '_')}_v`;
const formOf = ({ countBy }: ViewDefinition) => (countBy ? '_d_t_o' : '_d_o');

/** One document, so that one read gives position and collections. */
export interface ReadState {
  readonly _id: typeof READ_STATE;
  readonly position?: Position;
  readonly epoch: number;
  /** Collection of the active build, by view name. */
  readonly places?: Readonly<Record<string, CollectionName>>;
  /** End of a rolled-back log whose jobs are not parked: only their parking may read. */
  readonly rolled_back?: Position;
}

export type CachedReadState = Pick<ReadState, 'position' | 'places' | 'rolled_back'>;

export const READ_STATE = 'read-models';

/** An older cached state is read again before use. */
const STALE_MS: Milliseconds = 10_000;
/** A local projector that has not reported for this long may have lost its lease. */
const LOCAL_MS: Milliseconds = 500;

export class ReadStateCache {
  private state: CachedReadState = {};
  private readAt: Instant | undefined;
  private reportedAt: Instant | undefined;
  /** Reported by the local projector since the last read began, which may have missed it. */
  private reported: CachedReadState = {};
  private readonly reading = new CoalescedRun(() => this.read());
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly collection: Collection<ReadState>,
    private readonly clock: Clock,
  ) {}

  get position(): Position | undefined {
    return this.state.position;
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** The local projector reports each change at once. */
  get isProjectedHere(): boolean {
    return this.reportedAt !== undefined && elapsed(this.reportedAt, this.clock.now()) < LOCAL_MS;
  }

  report(moved: CachedReadState): void {
    this.reportedAt = this.clock.now();
    this.reported = merged(this.reported, moved);
    this.update(merged(this.state, moved));
  }

  /** The state as the store has just told it. */
  changed(state: CachedReadState): void {
    this.readAt = this.clock.now();
    this.update(merged(state, this.reported));
  }

  /** A change may be brought after a read that saw later ones, and a rollback lowers the position. */
  mayBeOlder({ position = '' }: CachedReadState): boolean {
    return this.state.rolled_back !== undefined || position < (this.state.position ?? '');
  }

  /** The read begins after this call. @throws UnavailableError */
  refresh(): Promise<void> {
    return this.reading.request();
  }

  /** @throws UnavailableError also if the view was never built */
  async collectionOf(view: ViewDefinition, evenRolledBack = false): Promise<CollectionName> {
    const fresh = this.readAt !== undefined && elapsed(this.readAt, this.clock.now()) < STALE_MS;
    return (fresh ? this.known(view, evenRolledBack) : undefined) ?? this.collectionNow(view, evenRolledBack);
  }

  /** As `collectionOf`, but always reads the state first. */
  async collectionNow(view: ViewDefinition, evenRolledBack = false): Promise<CollectionName> {
    await this.refresh();
    const collection = this.known(view, evenRolledBack);
    if (collection === undefined) throw new ViewNotBuiltError(view);
    return collection;
  }

  /** Undefined for a build of another version: this release cannot read it. */
  private known(view: ViewDefinition, evenRolledBack: boolean): CollectionName | undefined {
    if (this.state.rolled_back && !evenRolledBack) return undefined;
    const collection = this.state.places?.[view.name];
    return collection !== undefined && isOfVersion(collection, view) ? collection : undefined;
  }

  private async read(): Promise<void> {
    this.reported = {};
    const state = await calling(() => this.collection.findOne({ _id: READ_STATE }));
    this.changed(state ?? {});
  }

  private update(state: CachedReadState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

function merged(before: CachedReadState, after: CachedReadState): CachedReadState {
  const positions = [before.position, after.position].filter((position) => position !== undefined);
  return {
    position: positions.sort().at(-1),
    places: { ...before.places, ...after.places },
    rolled_back: after.rolled_back ?? before.rolled_back,
  };
}
