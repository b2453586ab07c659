import { setImmediate } from 'node:timers/promises';
import { RetryLoop } from '../../async/retry.js';
import { UnavailableError } from '../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Clock, Milliseconds } from '../../kernel/time.js';
import { LogReader } from '../log-reader.js';
import type { IndexStores } from '../ports/index-blocks.port.js';
import {
  BLOCK_ENTRIES,
  entriesOf,
  extendedBlocks,
  type IndexEntry,
  indexEntry,
  placeOf,
} from './index-block.js';
import { IndexProgress } from './index-progress.js';
import { IndexTail, type Mark, type TailStream } from './index-tail.js';
import type { Listener, LogIndexOptions } from './log-index-options.js';
import { buildAfter, ownerIn, readStored, type StoredIndex, storedIndex, textOf } from './stored-index.js';

/** With fewer, the last block of each owner would be written more often. */
const STORED_AT = 16_384;
const OWNERS_AT_ONCE = 64;
const RETRY_MS: Milliseconds = 1_000;
const LOG_PAGE = 500;
/** Before a turn of the event loop, for requests. */
const READ_TOGETHER = 100;

/** Reads the log itself, of all owners. */
export const ANY_OWNER = '*';

/**
 * The events of each owner in the order of the log. Every instance follows the log and holds what is not stored yet;
 * one of them, the keeper, stores it in blocks.
 */
export class LogIndex {
  private tail = new IndexTail('');
  /** Name of the build whose blocks are read: up to the start of the tail. */
  private build = '';
  private isOutdated = true;
  private isKeeper = false;
  private settling: Promise<void> | undefined;
  private loop: RetryLoop | undefined;
  private log: LogReader | undefined;
  private running: Promise<void> = Promise.resolve();
  /** Last event of which listeners were notified: the read models show it. */
  private notified: Position = '';
  private unsubscribe: () => void = () => undefined;
  private readonly progress: IndexProgress;
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly stores: IndexStores,
    private readonly clock: Clock,
    private readonly options: LogIndexOptions,
  ) {
    this.progress = new IndexProgress(clock);
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
      await this.settleShared();
      this.isKeeper = false;
    },
  };

  /** The log was read up to here: `after` has all entries before. */
  get end(): Position {
    return this.tail.end;
  }

  /** Returns a function that unsubscribes. */
  listen(added: Listener): () => void {
    this.listeners.add(added);
    return () => this.listeners.delete(added);
  }

  /** Entries of the owner after `position` ('': from the first), in order. @throws UnavailableError */
  async after(owner: string, position: Position, max: number): Promise<readonly IndexEntry[]> {
    await this.progress.whenOpened();
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
    await this.progress.whenOpened();
    if (owner === ANY_OWNER) return this.tail.mark ?? (await this.stored()).mark;
    const { tail } = this;
    const { start } = tail;
    const inTail = tail.newest(owner);
    if (inTail || start === '') return inTail;
    const stored = await this.inBlocks(owner, start, start, 1);
    return tail.newest(owner) ?? stored.map(indexEntry).at(-1);
  }

  /** True once all events stored before the call are in the index; false after `ms`. @throws UnavailableError */
  async reachHead(ms: Milliseconds): Promise<boolean> {
    const head = await this.stores.events.head();
    return this.progress.reach(() => head === undefined || this.tail.end >= head, ms);
  }

  /** The last entry of a page may have no owner: a reader then goes on after it. */
  private async anyAfter(position: Position, max: number): Promise<readonly IndexEntry[]> {
    const { isPublic, isLasting = () => true } = this.options;
    for (let after = position; ; await setImmediate()) {
      const { end } = this.tail;
      const page = await this.stores.events.readAll({ max: LOG_PAGE, ...(after !== '' && { after }) });
      const seen = page.filter((event) => event.position <= end);
      const lasting = seen.filter(isLasting);
      const entries = lasting.filter((event, n) => isPublic(event) || n === lasting.length - 1);
      if (entries.length > 0 || seen.length === 0 || seen.length < page.length) return entries.slice(0, max);
      after = seen.at(-1)!.position;
    }
  }

  private async storedAfter(owner: string, position: Position, upTo: Position, max: number) {
    const entries = await this.inBlocks(owner, position, upTo, Math.ceil(max / BLOCK_ENTRIES) + 1);
    const found = entries.filter(({ at }) => at > placeOf(position));
    return found.slice(0, max).map(indexEntry);
  }

  /** After a rollback, another instance may have removed the blocks before this one hears of it. */
  private async inBlocks(owner: string, from: Position, upTo: Position, maxBlocks: number) {
    const { build, stores } = this;
    const found = await stores.blocks.from(ownerIn(build, owner), from, maxBlocks);
    const now = storedIndex(await stores.checkpoints.get(this.options.name));
    if (now.build === build) return found.flatMap(entriesOf).filter(({ at }) => at <= placeOf(upTo));
    this.isOutdated = true;
    throw new UnavailableError('the index is built anew', 'not_written');
  }

  private async follow(loop: RetryLoop, log: LogReader): Promise<void> {
    const { onError } = this.options;
    while (!loop.isStopped) {
      const count = await loop.retryUntilStopped(() => this.next(loop, log), onError);
      if (count === 0) await log.wait();
      else if (!count || count > READ_TOGETHER) await setImmediate();
    }
  }

  /** Resolves to the number of events: 0 at the end of the log. */
  private async next(loop: RetryLoop, log: LogReader): Promise<number> {
    if (this.isOutdated) await this.open();
    const { tail } = this;
    const { storedAt = STORED_AT } = this.options;
    if (tail.size >= 4 * storedAt) {
      await this.settleShared();
      if (tail.size >= 4 * storedAt) await loop.wait(RETRY_MS);
      return LOG_PAGE;
    }
    if (tail.size >= (this.isKeeper ? storedAt : 2 * storedAt)) void this.settleShared();
    const events = await log.after(tail.end === '' ? undefined : tail.end);
    if (events.length === 0) return 0;
    // Readers may then ask for what changed. Behind late read models, changes go on after a second.
    if (events.at(-1)!.position > this.notified)
      await this.stores.events.waitUntilProjected().catch(() => undefined);
    await this.add(tail, events);
    return events.length;
  }

  private async open(): Promise<void> {
    this.isOutdated = false;
    try {
      const { build, mark } = await this.stored();
      this.tail = new IndexTail(mark?.position ?? '');
      this.build = build;
    } catch (error) {
      this.isOutdated = true;
      throw error;
    }
    this.progress.opened();
  }

  private async add(tail: IndexTail, events: readonly RecordedEvent[]): Promise<void> {
    const { isPublic, ownersOf } = this.options;
    const added = new Set<string>();
    let before: readonly string[] = [];
    try {
      for (const event of events) {
        let stream: TailStream | undefined;
        if (isPublic(event))
          stream = tail.find(event.stream) ?? tail.open(event.stream, await ownersOf(event));
        if (tail !== this.tail) return;
        tail.add(event, stream);
        if (stream && stream.owners !== before)
          for (const owner of (before = stream.owners)) added.add(owner);
      }
    } finally {
      if (added.size > 0) for (const notify of this.listeners) notify(added, this.isOutdated ? [] : events);
      this.progress.moved();
    }
  }

  private settleShared(): Promise<void> {
    this.settling ??= this.settle()
      .catch(this.options.onError)
      .finally(() => (this.settling = undefined));
    return this.settling;
  }

  /**
   * Drops stored entries from the tail; the keeper stores the others first. A keeper that lost its lease cannot move the
   * checkpoint, and writes the same blocks as its successor, or blocks that no build reads.
   */
  private async settle(): Promise<void> {
    const { tail } = this;
    const stored = await this.stored();
    if (tail !== this.tail) return;
    const position = stored.mark?.position ?? '';
    if (tail.start !== '' && (stored.build !== this.build || position < tail.start))
      return void (this.isOutdated = true);
    this.build = stored.build;
    tail.drop(position);
    const { mark } = tail;
    if (this.isKeeper && mark !== undefined && tail.size > 0) await this.storeTail(tail, mark, stored);
  }

  private async storeTail(tail: IndexTail, mark: Mark, stored: StoredIndex): Promise<void> {
    const before = stored.mark ? stored.text : await this.begin(stored);
    if (before === undefined) return;
    const owners = tail.ownersWithEntries();
    for (let from = 0; from < owners.length; from += OWNERS_AT_ONCE) {
      if (tail !== this.tail) return;
      await this.store(tail, owners.slice(from, from + OWNERS_AT_ONCE));
    }
    const { checkpoints } = this.stores;
    const text = textOf(this.build, mark);
    if (tail === this.tail && (await checkpoints.replace(this.options.name, before, text)))
      tail.drop(mark.position);
  }

  /** Begins a build: blocks of those before are removed. Resolves to its checkpoint, undefined if another began. */
  private async begin({ text, build: before }: StoredIndex): Promise<string | undefined> {
    const { checkpoints, blocks, events } = this.stores;
    // A node that lags does not have the last stored event yet.
    await events.proveCurrent();
    if ((await this.stored()).mark) return undefined;
    const build = buildAfter(before, this.clock.now());
    const begun = textOf(build);
    if (!(await checkpoints.replace(this.options.name, text, begun))) return undefined;
    this.build = build;
    await blocks.clear(ownerIn(build, ''));
    return begun;
  }

  private async store(tail: IndexTail, owners: readonly string[]): Promise<void> {
    const { blocks } = this.stores;
    const keys = owners.map((owner) => ownerIn(this.build, owner));
    const newest = new Map((await blocks.newest(keys)).map((block) => [block.owner, block]));
    const extended = owners.map((owner, n) =>
      extendedBlocks(keys[n]!, newest.get(keys[n]!), tail.entriesOf(owner)),
    );
    await blocks.put(extended.flat());
  }

  private readonly stored = () => readStored(this.options.name, this.stores);
}
