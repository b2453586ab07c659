import type { JournalEntry, Lease, Phase, Receipt } from '../service/protocol.js';
import { AppendLog } from './append-log.js';

/** A leased job and its progress. */
export interface HeldJob {
  readonly lease: Lease;
  readonly phase: Phase;
  /** Set once the spooler has assigned a number, possibly before it has the document. */
  readonly spoolerJobId?: string;
  /** The run of the spooler at the hand-off, then at the last look. */
  readonly spoolerEpoch?: string;
  /** The document was seen printing. */
  readonly started?: true;
  /** The spooler restarted with the document in it. */
  readonly restarted?: true;
  /** What the spooler applied; unknown after an interrupted hand-off. */
  readonly receipt?: Receipt;
  /** Set after damage to the journal: the job may be further than `phase`. */
  readonly doubtful?: true;
}

interface Line {
  readonly held?: HeldJob;
  /** Document name of an ended job. */
  readonly done?: string;
  /** Computer id for the following positions: positions of another computer, and possibly service, do not count. */
  readonly computer?: string;
  /** The highest position received up to this line. */
  readonly seen?: string;
}

const COMPACT_AFTER_LINES = 1000;

/** State folded from the journal's lines. */
class Contents {
  readonly jobs = new Map<string, HeldJob>();
  computer: string | undefined;
  seen: string | undefined;

  apply({ held, done, computer, seen }: Line): this {
    if (computer !== undefined && computer !== this.computer) {
      this.computer = computer;
      this.seen = undefined;
    }
    if (held) this.jobs.set(held.lease.document_name, held);
    if (done !== undefined) this.jobs.delete(done);
    if (this.exceeds(seen)) this.seen = seen;
    return this;
  }

  exceeds(position: string | undefined): boolean {
    return position !== undefined && (this.seen === undefined || position > this.seen);
  }

  lines(): Line[] {
    const { computer, seen } = this;
    return [{ computer, seen }, ...[...this.jobs.values()].map((held) => ({ held }))];
  }
}

/** Write-ahead journal: every step is written and synced before it is taken. */
export class Journal {
  private constructor(
    private readonly log: AppendLog<Line>,
    private readonly contents: Contents,
  ) {}

  /** Drops positions of computers other than `computerId`. */
  static async open(file: string, computerId: string): Promise<Journal> {
    const { log, records } = await AppendLog.open<Line>(file, doubted);
    const contents = sumOf(records);
    const sameComputer = contents.computer === computerId;
    const journal = new Journal(log, contents.apply({ computer: computerId }));
    if (!sameComputer || records.length > contents.lines().length) await journal.compact();
    return journal;
  }

  /** Held jobs in the order of their leases. */
  held(): HeldJob[] {
    return [...this.contents.jobs.values()];
  }

  get(documentName: string): HeldJob | undefined {
    return this.contents.jobs.get(documentName);
  }

  /** The highest position ever received. */
  get seen(): string | undefined {
    return this.contents.seen;
  }

  /** Writes a step together with the `position` of the answer that led to it. */
  async record(held: HeldJob, position?: string): Promise<HeldJob> {
    // A position not above the last one is already on disk or in an earlier line.
    await this.write(this.contents.exceeds(position) ? { held, seen: position } : { held });
    return held;
  }

  /** Stores the position of an answer without a job step; durable when resolved. */
  async saw(position: string | undefined): Promise<void> {
    if (position !== undefined) await this.write({ seen: position });
  }

  async done(documentName: string): Promise<void> {
    if (this.contents.jobs.has(documentName)) await this.write({ done: documentName });
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private async write(line: Line): Promise<void> {
    this.contents.apply(line); // Applied before the append, so that a compaction includes it.
    await this.log.append(line);
    const { lines } = this.log;
    if (lines > COMPACT_AFTER_LINES && lines > 4 * this.contents.jobs.size) await this.compact();
  }

  private compact(): Promise<void> {
    return this.log.rewrite(() => this.contents.lines());
  }
}

function sumOf(lines: readonly Line[]): Contents {
  return lines.reduce((contents, line) => contents.apply(line), new Contents());
}

/** Marks all jobs as doubtful: the lost rest of the journal may have recorded their hand-off. */
function doubted(readable: readonly Line[]): Line[] {
  return sumOf(readable)
    .lines()
    .map((line) => (line.held ? { held: { ...line.held, doubtful: true } } : line));
}

export function journalEntry({ lease, phase }: HeldJob): JournalEntry {
  return { job_id: lease.job_id, lease_id: lease.lease_id, fence: lease.fence, phase };
}

/** True if the journal records no hand-off. */
export function untouched({ phase }: HeldJob): boolean {
  return phase === 'leased' || phase === 'accepted';
}

/** Limit of jobs named in one call. */
const MAX_NAMED = 1000;

/** Jobs to name in one call; jobs before the hand-off come first, because they depend on being named. */
export function nameable(held: HeldJob[]): HeldJob[] {
  if (held.length <= MAX_NAMED) return held;
  const handedOff = held.filter(({ phase }) => phase === 'handed_off');
  const others = held.filter(({ phase }) => phase !== 'handed_off');
  return [...others, ...handedOff.reverse()].slice(0, MAX_NAMED);
}
