import type { JournalEntry, Lease, Phase } from '../service/protocol.js';
import { AppendLog } from './append-log.js';

/** What the agent has in its hands: one lease, and how far it went. */
export interface HeldJob {
  readonly lease: Lease;
  readonly phase: Phase;
  /** Known from the moment the spooler gave a number, which may be before it has the document. */
  readonly spoolerJobId?: string;
  /** Which run of the spooler it was handed to. */
  readonly spoolerEpoch?: string;
  /** Read from a damaged journal: the job may have gone further than `phase` says. */
  readonly doubtful?: true;
}

interface Line {
  readonly held?: HeldJob;
  /** Document name of a job that is over. */
  readonly done?: string;
  /** Opens a position's scope: positions of another computer, and so perhaps another service, do not count. */
  readonly computer?: string;
  /** The highest position received until this line. */
  readonly seen?: string;
}

const COMPACT_AFTER_LINES = 1000;

/** The sum of a journal's lines. */
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

/** The disk journal: every step is written here, and synced, before it is taken. */
export class Journal {
  private constructor(
    private readonly log: AppendLog<Line>,
    private readonly contents: Contents,
  ) {}

  /** `computerId`: whose positions are kept; those of another computer are dropped. */
  static async open(file: string, computerId: string): Promise<Journal> {
    const { log, records } = await AppendLog.open<Line>(file, doubted);
    const contents = sumOf(records);
    const sameComputer = contents.computer === computerId;
    const journal = new Journal(log, contents.apply({ computer: computerId }));
    if (!sameComputer || records.length > contents.lines().length) await journal.compact();
    return journal;
  }

  /** In the order in which they were leased. */
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

  /** `position` is that of the answer that led to this step; both are durable together. */
  async record(held: HeldJob, position?: string): Promise<HeldJob> {
    // A position that is not higher than the last one is on the disk already, or in a line before this one.
    await this.write(this.contents.exceeds(position) ? { held, seen: position } : { held });
    return held;
  }

  /** Keeps the position of an answer that leads to no step of a job. Durable when resolved. */
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
    this.contents.apply(line); // Before the append, so that a compaction never leaves out what was appended.
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

/** The lost rest of a damaged journal may have said "handing off" of any job before it. */
function doubted(readable: readonly Line[]): Line[] {
  return sumOf(readable)
    .lines()
    .map((line) => (line.held ? { held: { ...line.held, doubtful: true } } : line));
}

export function journalEntry({ lease, phase }: HeldJob): JournalEntry {
  return { job_id: lease.job_id, lease_id: lease.lease_id, fence: lease.fence, phase };
}

/** Nothing of it was handed to the spooler, as far as the journal knows. */
export function untouched({ phase }: HeldJob): boolean {
  return phase === 'leased' || phase === 'accepted';
}

/** What one call may name at most. */
const MOST_NAMED = 1000;

/** Jobs to name in one call: those first that depend on being named, which is all that was not handed off yet. */
export function nameable(held: HeldJob[]): HeldJob[] {
  if (held.length <= MOST_NAMED) return held;
  const handedOff = held.filter(({ phase }) => phase === 'handed_off');
  const others = held.filter(({ phase }) => phase !== 'handed_off');
  return [...others, ...handedOff.reverse()].slice(0, MOST_NAMED);
}
