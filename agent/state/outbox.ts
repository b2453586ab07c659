import type { Report } from '../service/protocol.js';
import { AppendLog } from './append-log.js';

type Line = { report: Report } | { acknowledged: string[] };

const COMPACT_AFTER_LINES = 1000;

/** Unacknowledged reports, oldest first; on disk, so that they survive a restart. */
export class Outbox {
  private readonly reports = new Map<string, Report>();
  private readonly listeners = new Set<(report: Report) => void>();

  private constructor(private readonly log: AppendLog<Line>) {}

  static async open(file: string): Promise<Outbox> {
    const { log, records } = await AppendLog.open<Line>(file);
    const outbox = new Outbox(log);
    for (const line of records) outbox.apply(line);
    if (records.length > outbox.reports.size) await outbox.compact();
    return outbox;
  }

  get size(): number {
    return this.reports.size;
  }

  oldest(count: number): Report[] {
    return [...this.reports.values()].slice(0, count);
  }

  async put(report: Report): Promise<void> {
    await this.write({ report });
    for (const listener of this.listeners) listener(report);
  }

  async acknowledge(eventIds: string[]): Promise<void> {
    if (eventIds.length > 0) await this.write({ acknowledged: eventIds });
  }

  onPut(listener: (report: Report) => void): void {
    this.listeners.add(listener);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private async write(line: Line): Promise<void> {
    this.apply(line); // Applied before the append, so that a compaction includes it.
    await this.log.append(line);
    if (this.log.lines > COMPACT_AFTER_LINES && this.log.lines > 4 * this.reports.size) await this.compact();
  }

  private apply(line: Line): void {
    if ('report' in line) this.reports.set(line.report.event_id, line.report);
    else for (const eventId of line.acknowledged) this.reports.delete(eventId);
  }

  private compact(): Promise<void> {
    return this.log.rewrite(() => this.oldest(this.reports.size).map((report) => ({ report })));
  }
}
