import type { HashStore, ReadingModule, StoredText, StoredTexts } from '../event-sourcing/index.js';
import { CorruptEventError, MissingHashesError } from '../kernel/errors.js';
import { entryOf, isLogged, leafHash, objectIn, NEVER_LOGGED } from './entry.js';
import { EVIDENCE_STREAM, LOSSES } from './evidence.events.js';
import { LogTail, type Chain } from './log-tail.js';
import {
  evolve,
  markOf,
  NOTHING,
  progressOf,
  type Halt,
  type LogState,
  type Mark,
  type Progress,
} from './progress.js';
import type { Checkpoint } from './statements.js';
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

/** What grows in memory. */
interface Growth {
  readonly accounts: StreamAccounts;
  readonly tail: LogTail;
  /** Up to the last event that was read: ahead of what is stored. */
  readonly progress: { -readonly [Key in keyof Progress]: Progress[Key] };
}

/**
 * Reads the events in order and adds their leaves to the hash store. What it stores depends on the events alone, so
 * two builders at once do no harm. Not for concurrent calls.
 */
export class LogBuilder {
  private growth: Growth | undefined;
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
    } catch (error) {
      if (!(error instanceof CorruptEventError)) return this.beginAfter(error);
      // Keeps all before the event. It is read again at each call, until it can be.
      const { stream, revision } = error;
      await this.halt({ reason: 'unreadable', event: { stream, revision } });
    }
    return { ...this.growth!.progress };
  }

  /** The next call begins with what is stored, which is nothing after a missing hash. */
  private async beginAfter(failure: unknown): Promise<Progress> {
    this.growth = undefined;
    if (!(failure instanceof MissingHashesError)) throw failure;
    await this.sources.hashes.clear();
    return NOTHING;
  }

  private async readPage(): Promise<void> {
    const { progress } = this.growth!;
    const { page: max = PAGE, storedAt = STORED_AT } = this.sizes;
    const page = await this.sources.texts.after(progress.position || undefined, max, NEVER_LOGGED);
    const [damage] = page.damaged;
    progress.halt = undefined;
    for (const text of page.texts) {
      if (damage && damage.position < text.position) break;
      if (isLogged(text.stream)) this.add(text, this.knownChain(text) ?? (await this.readChain(text)));
      else if (text.stream === EVIDENCE_STREAM && !(await this.readOwn(text))) return;
      progress.position = text.position;
    }
    if (damage) throw damage;
    progress.position = page.end ?? progress.position;
    progress.isAtEnd = page.isLast;
    if (page.isLast || progress.size - this.storedSize >= storedAt) await this.store();
  }

  /** An event of the log itself. False if the log halts, because the tree has another root than it tells. */
  private async readOwn(text: StoredText): Promise<boolean> {
    await this.store();
    const { progress } = this.growth!;
    const [before, log] = [progress.log, evolve(progress.log, text, progress.size)];
    const told = log?.isAbandoned ? undefined : log?.checkpoint;
    const differs = told && !(told.origin === log?.origin && (await this.isRoot(told)));
    if (differs && !(await this.isAbandoned(text.revision))) {
      await this.halt({ reason: 'differs', between: [before?.checkpoint ?? null, told] });
      return false;
    }
    progress.log = log && differs ? { ...log, isAbandoned: true } : log;
    progress.last = markOf(text);
    return true;
  }

  private async isRoot({ size, root }: Checkpoint): Promise<boolean> {
    const { hashes } = this.sources;
    if (size > this.growth!.progress.size) return false;
    return (await rootOf(new StoredLog(hashes), size)).toString('base64') === root;
  }

  private async halt(halt: Halt): Promise<void> {
    Object.assign(this.growth!.progress, { isAtEnd: false, halt });
    await this.store();
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
    const { tail, progress } = this.growth!;
    tail.add(chain, leafHash(entryOf(chain, text)), Number(text.position));
    progress.size = tail.size;
    progress.last = markOf(text);
    if (progress.log && LOSSES.has(text.type)) progress.log = { ...progress.log, isOver: true };
  }

  /** Whether another log begins after this revision. */
  private async isAbandoned(revision = -1): Promise<boolean> {
    const later = await this.sources.texts.stream(EVIDENCE_STREAM, revision + 1, Number.MAX_SAFE_INTEGER);
    return later.some(({ type }) => type === 'EvidenceLogStarted');
  }

  /** Whether the store has the events that were read. Halts if those of the log are gone. */
  private async mayGoOn(recheck: boolean): Promise<boolean> {
    const { log, last, halt } = this.growth!.progress;
    const differs = halt?.reason === 'differs';
    const found = log ? await this.find(log.newest) : 'here';
    if (log && found === 'gone' && !(await this.isSucceeded(log))) {
      await this.halt(differs ? halt : { reason: 'store_behind' });
      return false;
    }
    if (differs && found === 'here' && !recheck && !(await this.isAbandoned(log?.newest.revision)))
      return false;
    if (differs || found !== 'here' || !(await this.isHere(last))) await this.restart();
    return true;
  }

  private async isHere(mark: Mark | undefined): Promise<boolean> {
    return mark === undefined || (await this.find(mark)) === 'here';
  }

  /** Whether the store has begun another log after the one that it has lost. */
  private async isSucceeded({ origin }: LogState): Promise<boolean> {
    const { searched } = this;
    const from = searched && (await this.isHere(searched)) ? searched.revision + 1 : 0;
    const all = await this.sources.texts.stream(EVIDENCE_STREAM, from, Number.MAX_SAFE_INTEGER);
    this.searched = all.at(-1) ?? searched;
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
    const progress = progressOf(bytes);
    if (progress.isLacking) await this.restart();
    else await this.grow(progress, stored);
  }

  /** Forgets all hashes; reading begins with the first event. */
  private async restart(): Promise<void> {
    await this.sources.hashes.clear();
    await this.grow(NOTHING, '');
  }

  private async grow(progress: Progress, stored: string): Promise<void> {
    const { texts, hashes } = this.sources;
    const tail = await LogTail.at(new StoredLog(hashes), progress.size);
    this.growth = { tail, accounts: new StreamAccounts(texts), progress: { ...progress } };
    this.searched = undefined;
    [this.stored, this.storedSize] = [stored, progress.size];
  }

  private async store(): Promise<void> {
    const { tail, progress } = this.growth!;
    const text = JSON.stringify(progress);
    if (text !== this.stored) await this.sources.hashes.put(tail.take(), Buffer.from(text));
    [this.stored, this.storedSize] = [text, progress.size];
  }
}
