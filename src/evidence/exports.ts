import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type HashStore, type StoredText, StoredTexts } from '../event-sourcing/index.js';
import { CorruptEventError } from '../kernel/errors.js';
import type { Instant } from '../kernel/time.js';
import { accountOf, bodyOf, entryOf, objectIn } from './entry.js';
import type { NoteKey } from './signed-note.js';
import { type Checkpoint, type HeadRange, rangeLine, signCheckpoint, signHead } from './statements.js';
import { firstThat, StoredLog } from './stored-log.js';
import { consistencyProof, inclusionProof } from './tree.js';
import { WITHHELD } from './withheld.js';

/** Entries read together. */
const PAGE = 256;
/** By how much the clocks of instances may differ. */
const CLOCKS_MS = 10_000;

export interface ExportPart {
  /** Events recorded from this time on, and one more before. */
  readonly from?: Instant;
  /** Events recorded until this time, and one more after. */
  readonly to?: Instant;
  /** Sizes of earlier checkpoints, ascending, which the file leads on from: from 1 to that of the checkpoint. */
  readonly since?: readonly number[];
}

/** As of which state of the log something is proved, and with what. */
export interface Published {
  readonly checkpoint: Checkpoint;
  readonly key: NoteKey;
}

type ProofText = AsyncGenerator<string>;
/** Where the entry of a number of the file is: in the chain of its account, and in the log. */
type PlaceOf = (number: number) => Promise<{ account: string; seq: number; leaf: number }>;

/**
 * Proof files (docs/evidence.md), in pieces of an entry each, and heads, as of one checkpoint.
 * @throws UnavailableError while the hash store is built again; CorruptEventError for a damaged event
 */
export class EvidenceExport {
  private readonly log: StoredLog;
  private readonly size: number;

  constructor(
    private readonly published: Published,
    private readonly texts: StoredTexts,
    hashes: HashStore,
    /** Ends reading, with its reason, at the next page. */
    private readonly signal?: AbortSignal,
  ) {
    this.size = published.checkpoint.size;
    this.log = new StoredLog(hashes, this.size);
  }

  /** The newest head of an account; undefined if no event of it is covered. */
  async head(account: string): Promise<string | undefined> {
    const last = (await this.log.countOf(account, this.size)) - 1;
    if (last < 0) return undefined;
    const hash = await this.log.leafHash(await this.log.leafOf(account, last));
    const range: HeadRange = { of: 'account', name: account, first: last, last, count: last + 1 };
    return signHead(this.published.key, this.published.checkpoint, range, hash);
  }

  /**
   * Undefined if no event of the account is covered.
   * @param mayReadAhead asked before each page: while true, events are read before the text, to find a damaged one
   */
  async account(
    account: string,
    { from, to, since = [] }: ExportPart,
    mayReadAhead: () => boolean = () => false,
  ): Promise<ProofText | undefined> {
    const count = await this.log.countOf(account, this.size);
    if (count === 0) return undefined;
    const recordedFrom = (time: Instant, more: number) =>
      this.recordedFrom(account, count, Date.parse(time) + more);
    const start = from === undefined ? 0 : (await recordedFrom(from, -CLOCKS_MS)) - 1;
    const end = to === undefined ? count : await recordedFrom(to, CLOCKS_MS + 1);
    const last = Math.min(count - 1, end);
    const first = Math.max(0, Math.min(start, last));
    const placeOf = async (seq: number) => ({ account, seq, leaf: await this.log.leafOf(account, seq) });
    const range: HeadRange = { of: 'account', name: account, first, last, count };
    // Once the text has begun, its client could not be told which event cannot be read.
    const pages = this.pages(range, placeOf);
    while (mayReadAhead() && !(await pages.next()).done);
    return this.file(range, since, placeOf);
  }

  /** Undefined if no event of the stream is covered. */
  async stream(name: string, since: readonly number[] = []): Promise<ProofText | undefined> {
    const [first] = await this.texts.stream(name, 0, 1);
    const leaves = first ? await this.leavesOf(name) : [];
    if (!first || leaves.length === 0) return undefined;
    const account = accountOf(first);
    const count = await this.log.countOf(account, this.size);
    const placeOf = async (n: number) => {
      const leaf = leaves[n]!;
      const seq = await firstThat(count, async (one) => (await this.log.leafOf(account, one)) >= leaf);
      return { account, seq, leaf };
    };
    const range: HeadRange = { of: 'stream', name, first: 0, last: leaves.length - 1, count: leaves.length };
    return this.file(range, since, placeOf);
  }

  /** Has no head if the last entry is missing. */
  private async *file(range: HeadRange, since: readonly number[], placeOf: PlaceOf): ProofText {
    const digest = createHash('sha256');
    for await (const piece of this.signedText(range, since, placeOf)) {
      digest.update(piece);
      yield piece;
    }
    const { leaf } = await placeOf(range.last);
    if (!(await this.eventsAt([leaf]))[0]) return;
    const hash = await this.log.leafHash(leaf);
    yield signHead(this.published.key, this.published.checkpoint, range, hash, digest.digest('base64'));
  }

  private async *signedText(range: HeadRange, since: readonly number[], placeOf: PlaceOf): ProofText {
    const { size, log, published } = this;
    yield `rps-evidence/1 ${rangeLine(range)}\n`;
    for await (const page of this.pages(range, placeOf))
      for (const [number, { account, seq, leaf }, event] of page) {
        if (!event) continue;
        // As logged, so that a changed event spoils none but its own entry.
        const link = await log.link(account, seq);
        const body = WITHHELD.has(event.type) ? '' : `body ${bodyOf(event)}\n`;
        const next = number < range.last ? (await placeOf(number + 1)).leaf : size;
        const isProved =
          range.of === 'stream' || next === size || since.some((old) => leaf < old && old <= next);
        const proof = isProved ? line(`proof ${leaf}`, await inclusionProof(log, leaf, size)) : '';
        yield `entry ${entryOf(link, event)}\n${body}${proof}`;
      }
    for (const old of since) yield line(`consistency ${old}`, await consistencyProof(log, old, size));
    yield `\n${signCheckpoint(published.key, published.checkpoint)}\n`;
  }

  /** Without an event where it is missing: a verifier then misses its number. */
  private async *pages({ first, last }: HeadRange, placeOf: PlaceOf) {
    for (let from = first; from <= last; from += PAGE) {
      await this.pause();
      const numbers = Array.from({ length: Math.min(PAGE, last - from + 1) }, (_, n) => from + n);
      const places = await inTurn(numbers, placeOf);
      const events = await this.eventsAt(places.map(({ leaf }) => leaf));
      yield places.map((place, n) => [from + n, place, events[n]] as const);
    }
  }

  /** Leaves of the covered events of a stream. An event that was never logged has none. */
  private async leavesOf(name: string): Promise<number[]> {
    const leaves: number[] = [];
    for (let from = 0; ; from += PAGE) {
      await this.pause();
      const events = await this.texts.stream(name, from, PAGE);
      for (const { position } of events) {
        const leaf = await this.log.leafFrom(position, this.size);
        if (leaf < this.size && (await this.log.position(leaf)) === position) leaves.push(leaf);
      }
      if (events.length < PAGE) return leaves;
    }
  }

  /** Other requests are answered between two pages, and hang-ups noticed. */
  private async pause(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
  }

  private async eventsAt(leaves: readonly number[]): Promise<readonly (StoredText | undefined)[]> {
    return this.texts.at(await inTurn(leaves, (leaf) => this.log.position(leaf)));
  }

  /** The first entry recorded at this time or later, in ms. One that cannot be read counts as the next that can. */
  private recordedFrom(account: string, count: number, time: number): Promise<number> {
    return firstThat(count, async (seq) => {
      for (let one = seq; one < Math.min(count, seq + PAGE); one++) {
        const event = await this.readable(await this.log.leafOf(account, one));
        const at = event && Date.parse(objectIn<{ at: Instant }>(event.metadata).at ?? '');
        if (at !== undefined && !Number.isNaN(at)) return at >= time;
      }
      return true;
    });
  }

  private async readable(leaf: number): Promise<StoredText | undefined> {
    try {
      return (await this.eventsAt([leaf]))[0];
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      return undefined;
    }
  }
}

const line = (start: string, hashes: readonly Buffer[]) =>
  `${[start, ...hashes.map((hash) => hash.toString('base64'))].join(' ')}\n`;

/** One after another: what they read is often in the same blob. */
async function inTurn<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await act(item));
  return results;
}
