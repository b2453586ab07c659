import {
  MissingHashesError,
  type HashStore,
  type ReadingModule,
  type StoredText,
  type StoredTexts,
} from '../event-sourcing/index.js';
import { CorruptEventError } from '../kernel/errors.js';
import type { Position } from '../kernel/recorded-event.js';
import { entryOf, isLogged, leafHash, objectIn, UNWANTED } from './entry.js';
import { EVIDENCE_STREAM } from './evidence.events.js';
import { LogTail, type Chain } from './log-tail.js';
import {
  afterLoss,
  evolve,
  markOf,
  NOTHING,
  progressOf,
  type Halt,
  type LogState,
  type Mark,
  type Progress,
} from './progress.js';
import { StoredLog } from './stored-log.js';
import { StreamAccounts } from './stream-accounts.js';
import { rootOf } from './tree.js';

export interface LogSources {
  readonly texts: StoredTexts;
  readonly hashes: HashStore;
}

/** Events at a time, for which a request may wait. */
const PAGE = 256;
/** Events at a time where no request waits: each page begins with a look whether the last one is still stored. */
const PAGE_IN_THREAD = 1_024;
/** Leaves that are stored together while the builder catches up: the ends of the chains are written as often. */
const STORED_AT = 2_048;

/** Builds in the reading thread of the stores; its calls are those of `LogBuilder.advance`. */
export const begin = ((sources) => {
  const builder = new LogBuilder(sources, { page: PAGE_IN_THREAD });
  return (recheck: boolean) => builder.advance(recheck);
}) satisfies ReadingModule['begin'];

/** What grows in memory, behind the stored progress. */
interface Growth {
  readonly accounts: StreamAccounts;
  readonly tail: LogTail;
}

/**
 * Reads the events in order and adds their leaves to the hash store. What it stores depends on the events alone, so
 * two builders at once do no harm. Not for concurrent calls.
 */
export class LogBuilder {
  private growth: Growth | undefined;
  private progress: Progress = NOTHING;
  /** Up to where events were read since, and the last of them that no retention deletes. */
  private readTo: Position = '';
  private lastKept: StoredText | undefined;
  private stored = '';
  private storedSize = 0;
  /** The last event among which no successor of the lost log was found. */
  private searched: Mark | undefined;

  constructor(
    private readonly sources: LogSources,
    private readonly sizes: { readonly page?: number; readonly storedAt?: number } = {},
  ) {}

  /**
   * Reads one page further, and resolves to the progress, which is stored at the end of the events at the latest.
   * @param recheck builds the log anew if it halted because it differs @throws UnavailableError
   */
  async advance(recheck = false): Promise<Progress> {
    try {
      await this.resume();
      if (await this.mayGoOn(recheck)) await this.readPage();
      return this.progress;
    } catch (error) {
      if (error instanceof CorruptEventError) return this.haltBefore(error);
      // The next call begins with what is stored.
      this.growth = undefined;
      if (!(error instanceof MissingHashesError)) throw error;
      await this.sources.hashes.clear();
      return (this.progress = NOTHING);
    }
  }

  private async readPage(): Promise<void> {
    const { position } = this.progress;
    const { page: max = PAGE, storedAt = STORED_AT } = this.sizes;
    const page = await this.sources.texts.after(position === '' ? undefined : position, max, UNWANTED);
    const [damage] = page.damaged;
    const { tail } = this.growth!;
    this.progress = { ...this.progress, halt: undefined };
    for (const text of page.texts) {
      if (damage && damage.position < text.position) break;
      if (isLogged(text.stream)) this.add(text, this.knownChain(text) ?? (await this.readChain(text)));
      else if (text.stream === EVIDENCE_STREAM && !(await this.readOwn(text))) return;
      this.readTo = text.position;
    }
    if (damage) throw damage;
    this.readTo = page.end ?? position;
    const next = { ...this.upToRead(), isAtEnd: page.isLast };
    if (next.isAtEnd || tail.size - this.storedSize >= storedAt) await this.store(next);
    else this.progress = { ...next, size: tail.size };
  }

  /** An event of the log itself. False if the log halts. */
  private async readOwn(text: StoredText): Promise<boolean> {
    await this.store(this.upToRead());
    const { log, size } = this.progress;
    const fitting = await this.fitting(text, evolve(log, text, size));
    if (fitting === 'differs') return false;
    if (fitting) this.progress = { ...this.progress, log: fitting };
    this.lastKept = text;
    return true;
  }

  /** The progress with the events that were read since. */
  private upToRead(): Progress {
    const { progress, readTo: position, lastKept } = this;
    return { ...progress, position, ...(lastKept && { last: markOf(lastKept) }) };
  }

  /** Keeps all before the event. It is read again at each call, until it can be. */
  private async haltBefore({ stream, revision }: CorruptEventError): Promise<Progress> {
    const halt: Halt = { reason: 'unreadable', event: { stream, revision } };
    await this.store({ ...this.upToRead(), isAtEnd: false, halt });
    return this.progress;
  }

  /** The chain of the event, if it is in memory: each wait for the stores costs as much as a hash. */
  private knownChain(text: StoredText): Chain | undefined {
    const { accounts, tail } = this.growth!;
    const account = accounts.known(text);
    return account === undefined ? undefined : tail.chain(account);
  }

  private async readChain(text: StoredText): Promise<Chain> {
    const { accounts, tail } = this.growth!;
    const account = await accounts.of(text);
    return tail.chain(account) ?? (await tail.open(account));
  }

  private add(text: StoredText, chain: Chain): void {
    this.growth!.tail.add(chain, leafHash(entryOf(chain, text)), Number(text.position));
    this.lastKept = text;
    const log = afterLoss(this.progress.log, text);
    if (log !== this.progress.log) this.progress = { ...this.progress, log };
  }

  /** The state after an event of the log; halts if the tree has another root than it tells. */
  private async fitting(
    text: StoredText,
    log: LogState | undefined,
  ): Promise<LogState | undefined | 'differs'> {
    const told = log?.checkpoint;
    if (!told || text.type !== 'CheckpointPublished' || log.isAbandoned) return log;
    const { size, log: before } = this.progress;
    if (told.origin === log.origin && told.size <= size) {
      const root = await rootOf(new StoredLog(this.sources.hashes), told.size);
      if (root.toString('base64') === told.root) return log;
    }
    if (await this.isAbandoned(text.revision)) return { ...log, isAbandoned: true };
    const between = [before?.checkpoint ?? null, told] as const;
    await this.set({ ...this.progress, isAtEnd: false, halt: { reason: 'differs', between } });
    return 'differs';
  }

  /** Whether another log begins after this revision. */
  private async isAbandoned(revision: number): Promise<boolean> {
    const later = await this.sources.texts.stream(EVIDENCE_STREAM, revision + 1, Number.MAX_SAFE_INTEGER);
    return later.some(({ type }) => type === 'EvidenceLogStarted');
  }

  /** Whether the store has the events that were read. Halts if those of the log are gone. */
  private async mayGoOn(recheck: boolean): Promise<boolean> {
    const { log, last, halt } = this.progress;
    const found = log && (await this.find(log.newest));
    if (log && found !== 'here') return this.mayGoOnWithout(log, found === 'moved');
    if (halt?.reason === 'differs') {
      if (!recheck && !(await this.isAbandoned(log?.newest.revision ?? -1))) return false;
      await this.restart();
    } else if (last && (await this.find(last)) !== 'here') await this.restart();
    return true;
  }

  /** The store has not the newest publication at its position. */
  private async mayGoOnWithout(log: LogState, isMoved: boolean): Promise<boolean> {
    const { halt } = this.progress;
    const kept = halt?.reason === 'differs' ? halt : { reason: 'store_behind' as const };
    if (isMoved || (await this.isSucceeded(log))) await this.restart();
    else await this.set({ ...this.progress, isAtEnd: false, halt: kept });
    return this.progress.halt === undefined;
  }

  /** Whether the store has begun another log after the one that it has lost. */
  private async isSucceeded({ origin }: LogState): Promise<boolean> {
    const { searched } = this;
    const from = searched && (await this.find(searched)) === 'here' ? searched.revision + 1 : 0;
    const all = await this.sources.texts.stream(EVIDENCE_STREAM, from, Number.MAX_SAFE_INTEGER);
    this.searched = all.at(-1) ? markOf(all.at(-1)!) : searched;
    return all.some(({ type, data }) => {
      const { previous } = objectIn<{ previous: { origin: string } }>(data);
      return type === 'EvidenceLogStarted' && previous?.origin === origin;
    });
  }

  /** `moved`: at another position, as after an export and import. */
  private async find({ stream, revision, id, position }: Mark): Promise<'here' | 'moved' | 'gone'> {
    const [found] = await this.sources.texts.stream(stream, revision, 1);
    if (found?.id !== id) return 'gone';
    return found.position === position ? 'here' : 'moved';
  }

  /** Takes what another builder, or an earlier run, has stored. */
  private async resume(): Promise<void> {
    const bytes = await this.sources.hashes.progress();
    const stored = bytes ? Buffer.from(bytes).toString() : '';
    if (this.growth && stored === this.stored) return;
    this.stored = stored;
    const progress = progressOf(bytes);
    if (progress.isLacking) await this.restart();
    else await this.grow(progress);
  }

  /** Forgets all hashes; reading begins with the first event. */
  private async restart(): Promise<void> {
    await this.sources.hashes.clear();
    this.stored = '';
    await this.grow(NOTHING);
  }

  private async grow(progress: Progress): Promise<void> {
    const { texts, hashes } = this.sources;
    const tail = await LogTail.at(new StoredLog(hashes), progress.size);
    this.storedSize = progress.size;
    this.searched = undefined;
    this.growth = { tail, accounts: new StreamAccounts(texts) };
    this.progress = progress;
    this.readTo = progress.position;
    this.lastKept = undefined;
  }

  private async store(progress: Progress): Promise<void> {
    const { tail } = this.growth!;
    await this.set({ ...progress, size: tail.size }, tail.take());
  }

  private async set(progress: Progress, blobs: ReadonlyMap<string, Uint8Array> = new Map()): Promise<void> {
    const text = JSON.stringify(progress);
    if (text !== this.stored) await this.sources.hashes.put(blobs, Buffer.from(text));
    [this.progress, this.stored] = [JSON.parse(text) as Progress, text];
    this.storedSize = this.progress.size;
  }
}
