import { ObjectId, type Collection } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import type { ViewDefinition } from '../../../kernel/projection.js';
import { elapsed, type Instant, type Milliseconds, type Clock } from '../../../kernel/time.js';
import { ViewNotBuiltError } from '../../ports/view-store.port.js';
import { CoalescedRun } from '../../../async/repeated-run.js';
import { calling } from './mongo-errors.js';
import { ReadProgress } from '../../ports/remote-event-store.port.js';

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
    this.readAt = this.clock.now();
    this.update(merged(state ?? {}, this.reported));
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

/** Poll interval while a caller waits for the projector of another instance. */
const POLL_MS: Milliseconds = 10;
/** Poll interval while a caller waits for the local projector, which reports each change. */
const CHECK_MS: Milliseconds = 100;
/** Poll interval otherwise: readers notice a switched view within this time. */
const REFRESH_MS: Milliseconds = 1_000;

interface Waiting {
  readonly position: Position;
  readonly end: (shown: boolean) => void;
}

/** One poll serves all waiters. */
export class MongoReadProgress extends ReadProgress {
  private readonly waiting = new Set<Waiting>();
  private cancelNext: (() => void) | undefined;
  private polling = false;
  private stopped = false;

  constructor(
    private readonly state: ReadStateCache,
    private readonly clock: Clock,
  ) {
    super();
    state.onChange(() => this.settleWaiting());
    this.pollAfter(REFRESH_MS);
  }

  projected(): Position | undefined {
    return this.state.position;
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    if (this.shows(position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (shown: boolean) => {
        cancel();
        this.waiting.delete(entry);
        resolve(shown);
      };
      const cancel = this.clock.after(ms, () => end(this.shows(position)));
      const entry = { position, end };
      this.waiting.add(entry);
      if (this.waiting.size === 1 && !this.polling) this.pollAfter(this.state.isProjectedHere ? CHECK_MS : 0);
    });
  }

  stop(): void {
    this.stopped = true;
    this.cancelNext?.();
    for (const { end } of this.waiting) end(false);
  }

  private shows(position: Position): boolean {
    const shown = this.projected();
    return shown !== undefined && shown >= position;
  }

  private get pollMs(): Milliseconds {
    return this.state.isProjectedHere ? CHECK_MS : POLL_MS;
  }

  private settleWaiting(): void {
    for (const { position, end } of this.waiting) if (this.shows(position)) end(true);
  }

  private pollAfter(ms: Milliseconds): void {
    if (this.stopped) return;
    this.cancelNext?.();
    this.cancelNext = this.clock.after(ms, () => void this.poll());
  }

  private async poll(): Promise<void> {
    this.polling = true;
    // On failure the position stays; a reader that needs the store gets the error from its own read.
    await this.state.refresh().catch(() => undefined);
    this.polling = false;
    this.pollAfter(this.waiting.size > 0 ? this.pollMs : REFRESH_MS);
  }
}
