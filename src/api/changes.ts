import { LRUCache } from 'lru-cache';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { type Waiter, Waiters } from '../async/waiters.js';
import type { PublicEventType } from '../contexts/webhooks/index.js';
import { ANY_OWNER, EventStore, LogIndex } from '../event-sourcing/index.js';
import { Cursors } from '../http/cursors.js';
import { ApiError } from '../http/errors/api-error.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import { Clock, instant, type Instant } from '../kernel/time.js';
import { refusalOf } from './errors/answers.js';
import { ProjectedPayloads, type PublicChange } from './resources/projected-payloads.js';

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

export { ANY_OWNER };

/** One caller that reads changes. */
export interface ChangesReader extends ChangeOwner {
  readonly isWanted: (type: PublicEventType) => boolean;
  readonly show: (change: PublicChange) => object;
  /** Asked after a wait: false if the credential was revoked meanwhile. */
  readonly isStillValid: () => Promise<boolean>;
}

export interface ChangesPart {
  readonly items: readonly { readonly event: RecordedEvent; readonly item: object }[];
  readonly next: ChangePlace;
  /** False if the reader has seen everything. */
  readonly hasMore: boolean;
}

/** A request looks at so many events at most, and goes on after them in the next. */
const MAX_EXAMINED = 2_000;
/** Other requests go on in between. */
const EXAMINED_TOGETHER = 100;
/** A part of the whole log may be long, with few public events. */
const MAX_PARTS = 25;
/** For events stored just before the request. */
const REACHED_WITHIN_MS = 250;
const NOW_WITHIN_MS = 2_000;

/** While readers follow, new events are kept for them. */
const KEPT_FOR_READERS = 1_000;

/** Waiting requests and open streams; each holds a connection and some 20 KB. */
const MAX_WAITING = { ofOwner: 1_000, ofProcess: 4_000 };
const LATER = { 'retry-after': '15' };

/** Reads the public events of accounts and partners in the order of the store. */
@Injectable()
export class Changes implements OnModuleDestroy {
  /** The service stops: nothing is read any more. */
  isStopped = false;
  private readonly waiters: Waiters;
  private readonly unsubscribe: readonly (() => void)[];
  private rollbacks = 0;
  /** Events of the log since the last read of changes. */
  private unread = Infinity;

  constructor(
    private readonly index: LogIndex,
    readonly cursors: ChangeCursors,
    private readonly payloads: ProjectedPayloads,
    events: EventStore,
    clock: Clock,
  ) {
    this.waiters = new Waiters(clock);
    const added = (owners: ReadonlySet<string>, newest: readonly RecordedEvent[]) => {
      if (this.unread < KEPT_FOR_READERS) for (const event of newest) payloads.keep(event);
      this.unread += newest.length;
      for (const owner of owners) this.waiters.wake(owner);
      this.waiters.wake(ANY_OWNER);
    };
    const rolledBack = () => {
      this.rollbacks++;
      this.waiters.wakeAll();
    };
    this.unsubscribe = [index.listen(added), events.listen({ rolledBack })];
  }

  /** Number of waiting readers. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** Ends all waits, because the service stops. */
  onModuleDestroy(): void {
    this.isStopped = true;
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    this.waiters.closeAll();
  }

  /** Answers false once the log was rolled back after the call: a place of before may be lost. */
  history(): () => boolean {
    const { rollbacks } = this;
    return () => rollbacks === this.rollbacks;
  }

  /** The end of the changes at this moment. @throws ApiError 503 while the index is behind */
  async now(owner: ChangeOwner): Promise<ChangePlace> {
    if (!(await this.index.reachHead(NOW_WITHIN_MS))) throw new ApiError('unavailable');
    const newest = await this.index.newest(owner.owner);
    if (!newest) return this.cursors.beginning(owner);
    const [found] = await this.payloads.changesAt([newest], () => false);
    return this.cursors.after(owner, orUnavailable(found).event);
  }

  /** As `read`, but sees every event stored before the call, or says that there is more. */
  async readAll(reader: ChangesReader, from: ChangePlace, limit: number): Promise<ChangesPart> {
    const part = await this.read(reader, from, limit);
    if (part.items.length > 0 || part.hasMore) return part;
    const isWhole = await this.index.reachHead(REACHED_WITHIN_MS);
    const again = await this.read(reader, from, limit);
    return isWhole ? again : { ...again, hasMore: true };
  }

  /** At most `limit` changes after a place. @throws UnavailableError */
  async read(reader: ChangesReader, from: ChangePlace, limit: number): Promise<ChangesPart> {
    this.unread = 0;
    const items: { event: RecordedEvent; item: object }[] = [];
    let last: RecordedEvent | undefined;
    let together = Math.min(limit, EXAMINED_TOGETHER);
    let examined = 0;
    for (let parts = 0; examined < MAX_EXAMINED && parts < MAX_PARTS && items.length < limit; parts++) {
      if (parts > 0) await setImmediate();
      const { end } = this.index;
      const entries = await this.index.after(reader.owner, last?.position ?? from.position, together);
      // An index that was opened anew meanwhile may end earlier.
      const seen = end < this.index.end ? end : this.index.end;
      if (entries.length === 0) return this.part(reader, seenUpTo(from, seen), items, last, false);
      for (const found of await this.payloads.changesAt(entries, reader.isWanted)) {
        const { event, change } = orUnavailable(found);
        last = event;
        examined++;
        if (change) items.push({ event, item: reader.show(change) });
        if (items.length === limit) break;
      }
      together = EXAMINED_TOGETHER;
    }
    return this.part(reader, from, items, last, true);
  }

  /** True if nothing can be read after the place yet. */
  isEndOf({ position }: ChangePlace): boolean {
    return this.index.end <= position;
  }

  /** Wakes up at each event of the owner. @throws ApiError 429 for the owner, 503 for the process */
  waiter({ owner }: ChangeOwner): Waiter {
    const { ofOwner, ofProcess } = MAX_WAITING;
    if (this.waiters.countOf(owner) >= ofOwner)
      throw new ApiError('rateLimited', `${ofOwner} readers of these changes wait already.`, LATER);
    if (this.waiters.size >= ofProcess) throw new ApiError('unavailable', 'Too many readers wait.', LATER);
    return this.waiters.open(owner);
  }

  private part(
    owner: ChangeOwner,
    from: ChangePlace,
    items: ChangesPart['items'],
    last: RecordedEvent | undefined,
    hasMore: boolean,
  ): ChangesPart {
    return { items, next: last ? this.cursors.after(owner, last) : from, hasMore };
  }
}

/** The same cursor; the next read skips what was looked through, which may have been stored meanwhile. */
const seenUpTo = (from: ChangePlace, end: Position): ChangePlace =>
  end > from.position ? { ...from, position: end } : from;

/** The index names an event that the store does not have: the log was rolled back a moment ago. */
function orUnavailable<T>(found: T | undefined): T {
  if (found === undefined) throw new ApiError('unavailable');
  return found;
}
