import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Waiter, Waiters } from '../async/waiters.js';
import type { PublicEventType } from '../contexts/webhooks/index.js';
import { ANY_OWNER, EventStore, LogIndex } from '../event-sourcing/index.js';
import { ApiError } from '../http/errors/api-error.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import { Clock } from '../kernel/time.js';
import { ChangeCursors, type ChangeOwner, type ChangePlace, type ChangesPart } from './change-cursors.js';
import { CHANGE_TYPES } from './resources/event-catalogue.js';
import { ProjectedPayloads, type PublicChange } from './resources/projected-payloads.js';
import { SharedReads } from './shared-reads.js';
import { Turns } from './turns.js';
import { WaitingPlaces } from './waiting-places.js';

/** What a caller reads. */
export interface WantedChanges extends ChangeOwner {
  readonly isWanted: (type: PublicEventType) => boolean;
  /** The same for all readers of a surface. */
  readonly show: (change: PublicChange) => object;
  /** Asked after a wait: false if the credential was revoked meanwhile. */
  readonly isStillValid: () => Promise<boolean>;
}

/** One caller that reads changes. */
export interface ChangesReader extends WantedChanges {
  /** The account or partner whose turn a read takes. */
  readonly payer: string;
  /** The partner of the account, or the payer: places for waiting are shared between them. */
  readonly holder: string;
  readonly hasLeft: () => boolean;
}

/** A request looks at so many events at most, and goes on after them in the next. */
const MAX_EXAMINED = 2_000;
/** Of a turn, some 6 ms. Other requests go on in between. */
export const EXAMINED_TOGETHER = 50;
/** A part of the whole log may be long, with few public events. */
const MAX_PARTS = 50;
/** Each ends with a turn of the event loop, so an account takes one of its parts there. Readers that wait are bounded. */
const READS = { ofProcess: 4, ofAccount: 1, ofOwner: 1, waiting: Infinity };
/** For events stored just before the request. */
const REACHED_WITHIN_MS = 250;
const NOW_WITHIN_MS = 2_000;

/** While readers follow, new events are kept for them. */
const KEPT_FOR_READERS = 1_000;

/** Reads the public events of accounts and partners in the order of the store. */
@Injectable()
export class Changes implements OnModuleDestroy {
  /** The service stops: nothing is read any more. */
  isStopped = false;
  private readonly turns = new Turns('reads of changes', READS);
  private readonly shared = new SharedReads();
  private readonly places = new WaitingPlaces();
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
      this.shared.clear();
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
  read(reader: ChangesReader, from: ChangePlace, limit: number): Promise<ChangesPart> {
    this.unread = 0;
    const { surface, owner, isWanted } = reader;
    const types = CHANGE_TYPES.map((type) => Number(isWanted(type))).join('');
    const key = [surface, owner, types, from.cursor, from.position, limit].join(' ');
    return this.shared.read(key, this.index.end, reader, (hasLeft) =>
      this.readAlone({ ...reader, hasLeft }, from, limit),
    );
  }

  /** Work on a page, after that of others: a piece of an account in a turn of the event loop. */
  async inTurn<T>({ payer }: ChangesReader, work: () => T): Promise<Awaited<T>> {
    const end = await this.turns.take(payer, payer);
    try {
      return await work();
    } finally {
      setImmediate(end);
    }
  }

  private async readAlone(reader: ChangesReader, from: ChangePlace, limit: number): Promise<ChangesPart> {
    const items: { event: RecordedEvent; json: string }[] = [];
    let last: RecordedEvent | undefined;
    let examined = 0;
    const readOn = async (): Promise<ChangesPart | undefined> => {
      // The client may have left in the meantime.
      if (reader.hasLeft()) return this.part(reader, from, items, last, true);
      const { end } = this.index;
      const together = Math.min(last ? EXAMINED_TOGETHER : limit, EXAMINED_TOGETHER);
      const entries = await this.index.after(reader.owner, last?.position ?? from.position, together);
      // An index that was opened anew meanwhile may end earlier.
      const seen = end < this.index.end ? end : this.index.end;
      if (entries.length === 0) return this.part(reader, seenUpTo(from, seen), items, last, false);
      for (const found of await this.payloads.changesAt(entries, reader.isWanted)) {
        const { event, change } = orUnavailable(found);
        last = event;
        examined++;
        if (change) items.push({ event, json: JSON.stringify(reader.show(change)) });
        if (items.length === limit) break;
      }
      return undefined;
    };
    for (let parts = 0; examined < MAX_EXAMINED && parts < MAX_PARTS && items.length < limit; parts++) {
      const part = await this.inTurn(reader, readOn);
      if (part) return part;
    }
    return this.part(reader, from, items, last, true);
  }

  /** True if nothing can be read after the place yet. */
  isEndOf({ position }: ChangePlace): boolean {
    return this.index.end <= position;
  }

  /** Wakes up at each event of the owner. @throws ApiError 429 for owner and holder, 503 for the process */
  waiter({ owner, holder }: ChangesReader): Waiter {
    const leave = this.places.take(owner, holder);
    const waiter = this.waiters.open(owner);
    const close = () => {
      leave();
      waiter.close();
    };
    return { ...waiter, close };
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
