import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Waiter, Waiters } from '../async/waiters.js';
import { type PublicEventType } from '../contexts/webhooks/index.js';
import { ANY_OWNER, LogIndex } from '../event-sourcing/index.js';
import { ApiError } from '../http/errors/api-error.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import { Clock } from '../kernel/time.js';
import { ChangeCursors, type ChangeOwner, type ChangePlace } from './change-cursors.js';
import { ProjectedPayloads, type PublicChange } from './resources/projected-payloads.js';

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
/** After a first part without enough wanted events. */
const EXAMINED_TOGETHER = 200;
/** For events stored just before the request. */
const REACHED_WITHIN_MS = 250;

/** Waiting requests and open streams; each holds a connection and some 20 KB. */
const MAX_WAITING = { ofOwner: 1_000, ofProcess: 4_000 };
const LATER = { 'retry-after': '15' };

/** Reads the public events of accounts and partners in the order of the store. */
@Injectable()
export class Changes implements OnModuleDestroy {
  /** The service stops: nothing is read any more. */
  isStopped = false;
  private readonly waiters: Waiters;
  private readonly unsubscribe: () => void;

  constructor(
    private readonly index: LogIndex,
    readonly cursors: ChangeCursors,
    private readonly payloads: ProjectedPayloads,
    clock: Clock,
  ) {
    this.waiters = new Waiters(clock);
    this.unsubscribe = index.listen((owners) => {
      for (const owner of owners) this.waiters.wake(owner);
      this.waiters.wake(ANY_OWNER);
    });
  }

  /** Number of waiting readers. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** Ends all waits, because the service stops. */
  onModuleDestroy(): void {
    this.isStopped = true;
    this.unsubscribe();
    this.waiters.closeAll();
  }

  /** The end of the changes at this moment. */
  async now(owner: ChangeOwner): Promise<ChangePlace> {
    await this.index.reachHead(REACHED_WITHIN_MS);
    const newest = await this.index.newest(owner.owner);
    if (!newest) return this.cursors.beginning(owner);
    const [found] = await this.payloads.changesAt([newest], () => false);
    return this.cursors.after(owner, orUnavailable(found).event);
  }

  /** As `read`, but sees every event stored before the call. */
  async readAll(reader: ChangesReader, from: ChangePlace, limit: number): Promise<ChangesPart> {
    const part = await this.read(reader, from, limit);
    if (part.items.length > 0 || part.hasMore) return part;
    await this.index.reachHead(REACHED_WITHIN_MS);
    return this.read(reader, from, limit);
  }

  /** At most `limit` changes after a place. @throws UnavailableError */
  async read(reader: ChangesReader, from: ChangePlace, limit: number): Promise<ChangesPart> {
    const items: { event: RecordedEvent; item: object }[] = [];
    let last: RecordedEvent | undefined;
    let together = limit;
    for (let examined = 0; examined < MAX_EXAMINED && items.length < limit;) {
      const entries = await this.index.after(reader.owner, last?.position ?? from.position, together);
      if (entries.length === 0) return this.part(reader, from, items, last, false);
      for (const found of await this.payloads.changesAt(entries, reader.isWanted)) {
        const { event, change } = orUnavailable(found);
        last = event;
        examined++;
        if (change) items.push({ event, item: reader.show(change) });
        if (items.length === limit) break;
      }
      together = Math.max(limit - items.length, EXAMINED_TOGETHER);
    }
    return this.part(reader, from, items, last, true);
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

/** The index names an event that the store does not have: the log was rolled back a moment ago. */
function orUnavailable<T>(found: T | undefined): T {
  if (found === undefined) throw new ApiError('unavailable');
  return found;
}
