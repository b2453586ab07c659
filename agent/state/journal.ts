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
}

type Line = { held: HeldJob } | { done: string };

const COMPACT_AFTER_LINES = 1000;

/** The disk journal: every step is written here, and synced, before it is taken. */
export class Journal {
  private readonly jobs = new Map<string, HeldJob>();

  private constructor(private readonly log: AppendLog<Line>) {}

  static async open(file: string): Promise<Journal> {
    const { log, records } = await AppendLog.open<Line>(file);
    const journal = new Journal(log);
    for (const line of records) journal.apply(line);
    if (records.length > journal.jobs.size) await journal.compact();
    return journal;
  }

  /** In the order in which they were leased. */
  held(): HeldJob[] {
    return [...this.jobs.values()];
  }

  get(documentName: string): HeldJob | undefined {
    return this.jobs.get(documentName);
  }

  async record(held: HeldJob): Promise<HeldJob> {
    await this.write({ held });
    return held;
  }

  async done(documentName: string): Promise<void> {
    if (this.jobs.has(documentName)) await this.write({ done: documentName });
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private async write(line: Line): Promise<void> {
    this.apply(line); // Before the append, so that a compaction never leaves out what was appended.
    await this.log.append(line);
    if (this.log.lines > COMPACT_AFTER_LINES && this.log.lines > 4 * this.jobs.size) await this.compact();
  }

  private apply(line: Line): void {
    if ('done' in line) this.jobs.delete(line.done);
    else this.jobs.set(line.held.lease.document_name, line.held);
  }

  private compact(): Promise<void> {
    return this.log.rewrite(() => this.held().map((held) => ({ held })));
  }
}

export function journalEntry({ lease, phase }: HeldJob): JournalEntry {
  return { job_id: lease.job_id, lease_id: lease.lease_id, fence: lease.fence, phase };
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
