import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EventStore } from '../event-sourcing/index.js';
import { Cursors } from '../http/cursors.js';
import { ApiError } from '../http/errors/api-error.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import { instant, type Instant } from '../kernel/time.js';
import { refusalOf } from './errors/answers.js';

/** A place between two changes of an owner. */
export interface ChangePlace {
  readonly cursor: string;
  /** Position in this store of the event before it; '' before the first event. */
  readonly position: Position;
  /** Time of the event before it; the first moment before the first event. */
  readonly at: Instant;
}

/** Whose changes are followed, and the surface that answers. */
export interface ChangeOwner {
  /** Id of an account or a partner, or `ANY_OWNER`. */
  readonly owner: string;
  readonly surface: 'integration' | 'partner' | 'operator';
}

export interface ChangesPart {
  readonly items: readonly { readonly event: RecordedEvent; readonly json: string }[];
  readonly next: ChangePlace;
  /** False if the reader has seen everything. */
  readonly hasMore: boolean;
}

const BEGINNING = '-';
/** Twice those of a process that wait at once. */
const KEPT_PLACES = 8_000;
const UNKNOWN = 'after must be now or a next_cursor of these changes, as it was returned.';

/**
 * A cursor names an event by stream, revision and id: they are the same in SQLite and on the servers, where positions
 * differ, and tell whether the store has lost the event.
 */
@Injectable()
export class ChangeCursors {
  /** Ends of waits without a change, valid while this instance hears every event (`hearing`). A rollback ends that. */
  private readonly reached = new LRUCache<string, { place: ChangePlace; period: object }>({
    max: KEPT_PLACES,
  });

  constructor(
    private readonly cursors: Cursors,
    private readonly events: EventStore,
  ) {}

  /** Before the first event. */
  beginning({ owner }: ChangeOwner): ChangePlace {
    return { cursor: this.cursors.seal(scopeOf(owner), BEGINNING), position: '', at: instant(0) };
  }

  after(
    { owner }: ChangeOwner,
    { stream, revision, id, position, metadata: { at } }: RecordedEvent,
  ): ChangePlace {
    return { cursor: this.cursors.seal(scopeOf(owner), `${stream} ${revision} ${id}`), position, at };
  }

  /**
   * @param unknown says what the cursor has to be
   * @throws ApiError 400 for a cursor of another owner, 409 if the store has lost its event
   */
  async open({ owner, surface }: ChangeOwner, cursor: string, unknown = UNKNOWN): Promise<ChangePlace> {
    const reached = this.reached.get(keyOf(owner, cursor));
    if (reached && reached.period === this.events.hearing()) return reached.place;
    const opened = this.cursors.open(scopeOf(owner), cursor);
    if (opened === undefined) throw new ApiError('invalid', unknown);
    if (opened === BEGINNING) return { cursor, position: '', at: instant(0) };
    const [stream, revision, id] = opened.split(' ') as [string, string, string];
    const [event] = await this.events.load(stream, { from: Number(revision), max: 1 });
    if (event?.id !== id) throw refusalOf(surface, { code: 'HistoryChanged' });
    return { cursor, position: event.position, at: event.metadata.at };
  }

  /** Call before a wait. */
  get period(): object | undefined {
    return this.events.hearing();
  }

  /** Of a wait that saw no change: its reader asks again with the same cursor. */
  keep({ owner }: ChangeOwner, place: ChangePlace, period: object | undefined): void {
    if (period && period === this.period) this.reached.set(keyOf(owner, place.cursor), { place, period });
  }
}

const keyOf = (owner: string, cursor: string) => `${owner} ${cursor}`;

const scopeOf = (owner: string) => ({ list: 'changes', owner });
