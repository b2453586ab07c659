import { setImmediate } from 'node:timers/promises';
import type { StoredText } from '../event-sourcing/index.js';
import { CorruptEventError } from '../kernel/errors.js';
import type { Position } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';
import { entryOf, isLogged, leafHash, objectIn, type Link } from './entry.js';
import { EVIDENCE_STREAM, type CheckpointPublished, type EvidenceLogStarted } from './evidence.events.js';
import type { LogSources } from './log-builder.js';
import { progressOf, type Progress } from './progress.js';
import { StoredLog } from './stored-log.js';
import { StreamAccounts } from './stream-accounts.js';
import { rootOf } from './tree.js';

/**
 * `changed`: the event, its hash, or its leaf in the list of its account is not as it was read. `added`: the log has no
 * such event, or the list of an account goes on with this leaf. `missing`: the event of a leaf, or this publication, is
 * gone. `checkpoint`: the log has another origin, or the hashes another root, than this event published.
 */
export interface Finding {
  readonly kind: 'changed' | 'added' | 'missing' | 'checkpoint';
  readonly stream?: string;
  readonly revision?: number;
  readonly leaf?: number;
  /** Time of a missing event: not before this one. */
  readonly after?: Instant;
  /** A publication of a log that another one has succeeded: it does not count. */
  readonly abandoned?: true;
}

export interface Audit {
  /** Events of the log that were compared. */
  readonly events: number;
  readonly checkpoints: number;
  /** The first hundred; abandoned ones come last. */
  readonly findings: readonly Finding[];
  /** Without abandoned ones. */
  readonly total: number;
}

const PAGE = 256;
const LISTED = 100;
/** The list of each account that is often met; at most 1.5 KB each. */
const CACHED_BLOBS = 4_096;
/** Positions are digits. */
const BEHIND_ALL: Position = '~';

/**
 * Compares each stored event with its hash, and the hashes with each published checkpoint.
 * @throws UnavailableError also if a hash is missing: the log is then built anew
 */
export async function auditLog(sources: LogSources): Promise<Audit> {
  return new LogAudit(sources, progressOf(await sources.hashes.progress())).run();
}

class LogAudit {
  private readonly log: StoredLog;
  private readonly accounts: StreamAccounts;
  private readonly ofEvents = new Findings();
  private ofLog = new Findings();
  private readonly abandoned = new Findings();
  /** The last beginning of a log that was met. */
  private begun: (Partial<EvidenceLogStarted['data']> & { readonly revision: number }) | undefined;
  /** The next revision of the log's stream. */
  private revision = 0;
  /** The next entry of each account that was met. */
  private readonly ends = new Map<string, Link>();
  /** Until an event is not as logged. */
  private hasAllEnds = true;
  private events = 0;
  private checkpoints = 0;
  /** The first leaf without its event yet. */
  private leaf = 0;
  private newest: StoredText | undefined;

  constructor(
    private readonly sources: LogSources,
    private readonly progress: Progress,
  ) {
    this.log = new StoredLog(sources.hashes, progress.size, CACHED_BLOBS);
    this.accounts = new StreamAccounts(sources.texts);
  }

  async run(): Promise<Audit> {
    const { progress } = this;
    for (let after: Position | undefined; (after ?? '') < progress.position; await setImmediate()) {
      const { texts, damaged, end, isLast } = await this.sources.texts.after(after, PAGE);
      for (const item of inOrder([...texts, ...damaged]))
        if (item.position <= progress.position) await this.compare(item);
      if (isLast) break;
      after = end;
    }
    await this.nextFrom(BEHIND_ALL);
    this.missingPublications(progress.log ? progress.log.newest.revision + 1 : 0);
    this.compareBeginning();
    this.findHalt();
    if (this.hasAllEnds) await this.findEntriesBehindLists();
    const { events, checkpoints, ofEvents, ofLog, abandoned } = this;
    const findings = [ofEvents, ofLog, abandoned].flatMap(({ listed }) => listed).slice(0, LISTED);
    return { events, checkpoints, findings, total: ofEvents.total + ofLog.total };
  }

  private async compare(item: StoredText | CorruptEventError): Promise<void> {
    const { stream, revision, position } = item;
    const isDamaged = item instanceof CorruptEventError;
    if ((await this.nextFrom(position)) === position) {
      const leaf = this.leaf++;
      this.events++;
      if (isDamaged || !(await this.isAsLogged(item, leaf)))
        this.find({ kind: 'changed', stream, revision, leaf });
    } else if (isLogged(stream)) this.find({ kind: 'added', stream, revision });
    if (stream === EVIDENCE_STREAM) await this.comparePublication(item);
    if (!isDamaged) this.newest = item;
  }

  private async isAsLogged(text: StoredText, leaf: number): Promise<boolean> {
    if (!isLogged(text.stream)) return false;
    const account = await this.accountOf(text);
    if (account === undefined) return text.revision > 0;
    const link = this.ends.get(account) ?? (await this.endBefore(leaf, account));
    const hash = leafHash(entryOf(link, text));
    if (hash !== (await this.log.leafHash(leaf))) return false;
    this.ends.set(account, { account, seq: link.seq + 1, prev: hash });
    return (await this.log.leafOf(account, link.seq)) === leaf;
  }

  /** Of an account that was not met yet, or not since its end was forgotten. */
  private async endBefore(leaf: number, account: string): Promise<Link> {
    const seq = this.hasAllEnds ? 0 : await this.log.countOf(account, leaf);
    return this.log.link(account, seq);
  }

  /** Later entries are compared with the stored hashes, so that one change does not spoil them. */
  private forgetEnds(): void {
    this.ends.clear();
    this.hasAllEnds = false;
  }

  /** Undefined if the first event of the stream is damaged, which is a finding of its own. */
  private async accountOf(text: StoredText): Promise<string | undefined> {
    try {
      return await this.accounts.of(text);
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.forgetEnds();
      return undefined;
    }
  }

  private async comparePublication(item: StoredText | CorruptEventError): Promise<void> {
    const { stream, revision } = item;
    this.missingPublications(revision);
    this.revision = Math.max(this.revision, revision + 1);
    if (!(item instanceof CorruptEventError)) {
      if (item.type === 'CheckpointPublished') return this.comparePublished(item);
      if (item.type === 'EvidenceLogStarted') return this.begin(item);
    }
    // Perhaps the beginning of the log of what follows.
    this.begun = undefined;
    this.find({ kind: 'changed', stream, revision });
  }

  /** Names the first one that is gone before this revision. */
  private missingPublications(before: number): void {
    const { revision } = this;
    if (revision < before) this.find({ kind: 'missing', stream: EVIDENCE_STREAM, revision, ...this.time() });
  }

  /** Entries that lists of accounts have behind those of all events. Where an event is not as logged, its list is not known. */
  private async findEntriesBehindLists(): Promise<void> {
    for (const { account, seq } of this.ends.values()) {
      const listed = await this.log.countOf(account, this.progress.size);
      if (listed > seq) this.ofEvents.add({ kind: 'added', leaf: await this.log.leafOf(account, seq) });
    }
  }

  /** What the builder halted before, which the hashes do not cover. */
  private findHalt(): void {
    const { halt } = this.progress;
    if (halt?.reason === 'differs')
      this.find({ kind: 'checkpoint', stream: EVIDENCE_STREAM, revision: this.revision });
    if (halt?.event) this.find({ kind: 'changed', ...halt.event });
  }

  /** Another log begins, with the events as they are. */
  private begin({ revision, data }: StoredText): void {
    for (const finding of this.ofLog.listed) this.abandoned.add({ ...finding, abandoned: true });
    this.ofLog = new Findings();
    this.begun = { revision, ...objectIn<EvidenceLogStarted['data']>(data) };
  }

  private async comparePublished({ stream, revision, data }: StoredText): Promise<void> {
    const { origin, size = Infinity, root } = objectIn<CheckpointPublished['data']>(data);
    this.checkpoints++;
    const { begun, progress } = this;
    const isOfLog = (!begun || origin === begun.origin) && size <= progress.size;
    const isSame = isOfLog && (await rootOf(this.log, size)).toString('base64') === root;
    if (!isSame) this.find({ kind: 'checkpoint', stream, revision });
  }

  /** The beginning of the log, as the builder read it. */
  private compareBeginning(): void {
    const [{ log }, begun] = [this.progress, this.begun];
    if (log && begun && (begun.origin !== log.origin || begun.vkey !== log.vkey))
      this.find({ kind: 'changed', stream: EVIDENCE_STREAM, revision: begun.revision });
  }

  /** The position of the next leaf that is not before this one. The events of those before it are gone. */
  private async nextFrom(position: Position): Promise<Position | undefined> {
    const { progress } = this;
    for (; this.leaf < progress.size; this.leaf++) {
      const next = await this.log.position(this.leaf);
      if (next >= position) return next;
      this.find({ kind: 'missing', leaf: this.leaf, ...this.time() });
    }
    return undefined;
  }

  /** Of the newest event that was readable, if it has one. */
  private time(): { readonly after?: Instant } {
    const { at } = objectIn<{ at: Instant }>(this.newest?.metadata ?? '');
    return at === undefined ? {} : { after: at };
  }

  private find(finding: Finding): void {
    if (finding.stream === EVIDENCE_STREAM) return this.ofLog.add(finding);
    this.forgetEnds();
    this.ofEvents.add(finding);
  }
}

/** Lists the first ones, and counts all. */
class Findings {
  readonly listed: Finding[] = [];
  total = 0;

  add(finding: Finding): void {
    this.total++;
    if (this.listed.length < LISTED) this.listed.push(finding);
  }
}

const inOrder = <T extends { readonly position: Position }>(events: T[]): readonly T[] =>
  events.sort((a, b) => (a.position < b.position ? -1 : 1));
