import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { RetryLoop } from '../../async/retry.js';
import { Waiters } from '../../async/waiters.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Clock, Milliseconds } from '../../kernel/time.js';
import { LogReader } from '../log-reader.js';
import type { CheckpointStore, EventStore } from '../ports/event-store.port.js';
import type { IndexBlocks } from '../ports/index-blocks.port.js';
import { BLOCK_ENTRIES, entriesOf, extendedBlocks, type IndexEntry } from './index-block.js';
import { IndexTail, type Mark } from './index-tail.js';

/** With fewer, the last block of each owner would be written more often. */
const STORED_AT = 16_384;
const OWNERS_AT_ONCE = 64;
const RETRY_MS: Milliseconds = 1_000;
const PROGRESS = 'progress';
const LOG_PAGE = 500;

/** Reads the log itself, of all owners. */
export const ANY_OWNER = '*';

export interface LogIndexOptions {
  /** Of its checkpoint: a new name builds the index anew. */
  readonly name: string;
  /** Only events of these types have owners. */
  readonly types: ReadonlySet<string>;
  /** Whoever asks to follow the event. The same at any time, so it depends on the log alone. */
  readonly ownersOf: (event: RecordedEvent) => Promise<readonly string[]>;
  /** Events that may be removed later are no places to go on from. */
  readonly isLasting?: (event: RecordedEvent) => boolean;
  readonly onError: (error: unknown) => void;
  /** Number of entries that are stored together. An instance holds at most four times as many in memory. */
  readonly storedAt?: number;
}

interface Stores {
  readonly events: EventStore;
  readonly checkpoints: CheckpointStore;
  readonly blocks: IndexBlocks;
}

/**
 * The events of each owner in the order of the log. Every instance follows the log and holds what is not stored yet;
 * one of them, the keeper, stores it in blocks.
 */
export class LogIndex {
  private tail = new IndexTail('');
  private isOutdated = true;
  private isKeeper = false;
  private settling: Promise<void> | undefined;
  private loop: RetryLoop | undefined;
  private log: LogReader | undefined;
  private running: Promise<void> = Promise.resolve();
  /** Last event of which listeners were notified: the read models show it. */
  private notified: Position = '';
  private unsubscribe: () => void = () => undefined;
  private readonly progress: Waiters;
  private markOpened: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => (this.markOpened = resolve));
  private readonly listeners = new Set<(owners: ReadonlySet<string>) => void>();

  constructor(
    private readonly stores: Stores,
    private readonly clock: Clock,
    private readonly options: LogIndexOptions,
  ) {
    this.progress = new Waiters(clock);
  }

  start(): void {
    const { events } = this.stores;
    this.loop = new RetryLoop(this.clock);
    this.log = new LogReader(events, this.clock, () => true);
    this.unsubscribe = events.listen({
      appended: (appended) => void (this.notified = appended.at(-1)!.position),
      rolledBack: () => void (this.isOutdated = true),
    });
    this.running = this.follow(this.loop, this.log);
  }

  async stop(): Promise<void> {
    this.loop?.stop();
    this.log?.close();
    this.unsubscribe();
    await this.running;
    await this.settling;
  }

  /** Stores the index; runs on one instance at a time. */
  readonly keeper = {
    start: (): void => void (this.isKeeper = true),
    stop: async (): Promise<void> => {
      await this.settling;
      await this.settleOnce();
      this.isKeeper = false;
    },
  };

  /** Called with the owners of new entries. Returns a function that unsubscribes. */
  listen(added: (owners: ReadonlySet<string>) => void): () => void {
    this.listeners.add(added);
    return () => this.listeners.delete(added);
  }

  /** Entries of the owner after `position` ('': from the first), in order. @throws UnavailableError */
  async after(owner: string, position: Position, max: number): Promise<readonly IndexEntry[]> {
    await this.opened;
    if (owner === ANY_OWNER) return this.anyAfter(position, max);
    for (;;) {
      const { tail } = this;
      const { start } = tail;
      const stored = position < start ? await this.storedAfter(owner, position, start, max) : [];
      if (tail === this.tail && start === tail.start)
        return [...stored, ...tail.after(owner, position > start ? position : start, max - stored.length)];
    }
  }

  /** The last entry of the owner. @throws UnavailableError */
  async newest(owner: string): Promise<IndexEntry | undefined> {
    await this.opened;
    if (owner === ANY_OWNER) return this.tail.mark ?? markFrom(await this.checkpoint());
    const { tail } = this;
    const { start } = tail;
    const inTail = tail.newest(owner);
    if (inTail) return inTail;
    const blocks = await this.stores.blocks.from(owner, start, 1);
    const stored = blocks.flatMap(entriesOf).filter(({ position }) => position <= start);
    return tail.newest(owner) ?? stored.at(-1);
  }

  /** True once all events stored before the call are in the index; false after `ms`. @throws UnavailableError */
  async reachHead(ms: Milliseconds): Promise<boolean> {
    const head = await this.stores.events.head();
    const end = performance.now() + ms;
    const isReached = () => head === undefined || this.tail.end >= head;
    const waiter = this.progress.open(PROGRESS);
    try {
      for (let left = ms; !isReached() && left > 0; left = end - performance.now())
        await Promise.race([waiter.wait(ms), sleep(left, undefined, { ref: false })]);
    } finally {
      waiter.close();
    }
    return isReached();
  }

  /** The last entry of a page may have no owner: a reader then goes on after it. */
  private async anyAfter(position: Position, max: number): Promise<readonly IndexEntry[]> {
    const { types, isLasting = () => true } = this.options;
    for (let after = position; ; await setImmediate()) {
      const { end } = this.tail;
      const page = await this.stores.events.readAll({ max: LOG_PAGE, ...(after !== '' && { after }) });
      const seen = page.filter((event) => event.position <= end);
      const lasting = seen.filter(isLasting);
      const entries = lasting.filter((event, n) => types.has(event.type) || n === lasting.length - 1);
      if (entries.length > 0 || seen.length === 0 || seen.length < page.length) return entries.slice(0, max);
      after = seen.at(-1)!.position;
    }
  }

  private async storedAfter(owner: string, position: Position, upTo: Position, max: number) {
    const blocks = await this.stores.blocks.from(owner, position, Math.ceil(max / BLOCK_ENTRIES) + 1);
    const entries = blocks
      .flatMap(entriesOf)
      .filter((one) => one.position > position && one.position <= upTo);
    return entries.slice(0, max);
  }

  private async follow(loop: RetryLoop, log: LogReader): Promise<void> {
    const { onError } = this.options;
    while (!loop.isStopped) {
      const more = await loop.retryUntilStopped(() => this.next(loop, log), onError);
      // A turn of the event loop between two pages, for requests.
      await (more === false ? log.wait() : setImmediate());
    }
  }

  /** Resolves to false at the end of the log. */
  private async next(loop: RetryLoop, log: LogReader): Promise<boolean> {
    if (this.isOutdated) await this.open();
    const { tail } = this;
    const { storedAt = STORED_AT } = this.options;
    if (tail.size >= 4 * storedAt) {
      await this.settleOnce();
      if (tail.size >= 4 * storedAt) await loop.wait(RETRY_MS);
      return true;
    }
    if (tail.size >= (this.isKeeper ? storedAt : 2 * storedAt)) void this.settleOnce();
    const events = await log.after(tail.end === '' ? undefined : tail.end);
    if (events.length === 0) return false;
    // Readers may then ask for what changed. Behind late read models, changes go on after a second.
    if (events.at(-1)!.position > this.notified)
      await this.stores.events.waitUntilProjected().catch(() => undefined);
    await this.add(tail, events);
    return true;
  }

  private async open(): Promise<void> {
    this.isOutdated = false;
    try {
      this.tail = new IndexTail((await this.storedUpTo()) ?? '');
    } catch (error) {
      this.isOutdated = true;
      throw error;
    }
    this.markOpened();
  }

  private async add(tail: IndexTail, events: readonly RecordedEvent[]): Promise<void> {
    const { types, ownersOf } = this.options;
    const added = new Set<string>();
    try {
      for (const event of events) {
        const owners = types.has(event.type) ? await ownersOf(event) : [];
        if (tail !== this.tail) return;
        tail.add(event, owners);
        for (const owner of owners) added.add(owner);
      }
    } finally {
      if (added.size > 0) for (const notify of this.listeners) notify(added);
      this.progress.wake(PROGRESS);
    }
  }

  private settleOnce(): Promise<void> {
    this.settling ??= this.settle()
      .catch(this.options.onError)
      .finally(() => (this.settling = undefined));
    return this.settling;
  }

  /** Drops what is stored from the tail; the keeper stores the rest first. */
  private async settle(): Promise<void> {
    const { tail } = this;
    const stored = (await this.storedUpTo()) ?? '';
    if (tail !== this.tail) return;
    if (stored < tail.start) return void (this.isOutdated = true);
    tail.drop(stored);
    const { mark } = tail;
    if (!this.isKeeper || mark === undefined || tail.size === 0) return;
    if (stored === '') await this.stores.blocks.clear();
    const owners = tail.ownersWithEntries();
    for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
      await this.store(tail, owners.slice(from, from + OWNERS_AT_ONCE));
      if (tail !== this.tail) return;
    }
    await this.stores.checkpoints.put(this.options.name, textOf(mark));
    tail.drop(mark.position);
  }

  private async store(tail: IndexTail, owners: readonly string[]): Promise<void> {
    const { blocks } = this.stores;
    const newest = new Map((await blocks.newest(owners)).map((block) => [block.owner, block]));
    const entriesFor = (owner: string) => tail.after(owner, tail.start, Infinity);
    await blocks.put(owners.flatMap((owner) => extendedBlocks(owner, newest.get(owner), entriesFor(owner))));
  }

  /** Undefined if nothing is stored, or if it belongs to another history than that of the event store. */
  private async storedUpTo(): Promise<Position | undefined> {
    const mark = markFrom(await this.checkpoint());
    if (!mark) return undefined;
    const [event] = await this.stores.events.load(mark.stream, { from: mark.revision, max: 1 });
    return event?.id === mark.id && event.position === mark.position ? mark.position : undefined;
  }

  private checkpoint(): Promise<string | undefined> {
    return this.stores.checkpoints.get(this.options.name);
  }
}

/** Begins with the position, so that checkpoints compare as positions do. */
const textOf = ({ position, stream, revision, id }: Mark) => `${position} ${stream} ${revision} ${id}`;

function markFrom(text: string | undefined): Mark | undefined {
  if (text === undefined) return undefined;
  const [position, stream, revision, id] = text.split(' ') as [string, string, string, string];
  return { position, stream, revision: Number(revision), id };
}
