import type { Collection } from 'mongodb';
import type { Position } from '../../kernel/recorded-event.js';
import type { ViewDefinition } from '../../kernel/projection.js';
import { elapsed, type Instant, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { ViewNotBuiltError } from '../../ports/view-store.port.js';
import { InTurn } from './in-turn.js';
import { calling } from './mongo-errors.js';
import { versionIn, type Place } from './view-places.js';

/** How far the read models are, and where readers find each: one document, so that one read tells both alike. */
export interface ReadState {
  readonly _id: typeof READ_STATE;
  /** Absent until the first event is shown. */
  readonly position?: Position;
  /** Of the lease under which it was last taken over. */
  readonly epoch: number;
  /** By name of the view: it has one active build, of one version. */
  readonly places?: Readonly<Record<string, Place>>;
}

/** What readers need of it. */
export type Heard = Pick<ReadState, 'position' | 'places'>;

export const READ_STATE = 'read-models';

/** What was heard longer ago is read anew before a reader relies on it. */
const STALE_MS: Milliseconds = 10_000;
/** A writer that told nothing for so long may be one no more. */
const KEPT_HERE_MS: Milliseconds = 500;

/** The read state as this instance last heard of it. */
export class HeardState {
  private state: Heard = {};
  private heardAt: Instant | undefined;
  private toldAt: Instant | undefined;
  /** What the writer of this instance told since the last read began: the read may have missed it. */
  private told: Heard = {};
  private readonly reading = new InTurn(() => this.read());
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly collection: Collection<ReadState>,
    private readonly clock: Clock,
  ) {}

  get position(): Position | undefined {
    return this.state.position;
  }

  onHeard(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** The writer of this instance moves it, and tells at once. */
  get isKeptHere(): boolean {
    return this.toldAt !== undefined && elapsed(this.toldAt, this.clock.now()) < KEPT_HERE_MS;
  }

  /** The writer of this instance has moved it. */
  tell(moved: Heard): void {
    this.toldAt = this.clock.now();
    this.told = merged(this.told, moved);
    this.hear(merged(this.state, moved));
  }

  /** Reads it; the read begins after the call. @throws UnavailableError */
  refresh(): Promise<void> {
    return this.reading.ask();
  }

  /** Where readers find the view. @throws UnavailableError also when it was never built */
  async placeOf(view: ViewDefinition): Promise<Place> {
    const fresh = this.heardAt !== undefined && elapsed(this.heardAt, this.clock.now()) < STALE_MS;
    return (fresh ? this.known(view) : undefined) ?? this.placeNow(view);
  }

  /** As `placeOf`, but asks. */
  async placeNow(view: ViewDefinition): Promise<Place> {
    await this.refresh();
    const place = this.known(view);
    if (place === undefined) throw new ViewNotBuiltError(view);
    return place;
  }

  /** Of another release's version a reader of ours can make nothing. */
  private known(view: ViewDefinition): Place | undefined {
    const place = this.state.places?.[view.name];
    return place !== undefined && versionIn(place, view) === view.version ? place : undefined;
  }

  private async read(): Promise<void> {
    this.told = {};
    const state = await calling(() => this.collection.findOne({ _id: READ_STATE }));
    this.heardAt = this.clock.now();
    this.hear(merged(state ?? {}, this.told));
  }

  private hear(state: Heard): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

function merged(before: Heard, after: Heard): Heard {
  const positions = [before.position, after.position].filter((position) => position !== undefined);
  return { position: positions.sort().at(-1), places: { ...before.places, ...after.places } };
}
