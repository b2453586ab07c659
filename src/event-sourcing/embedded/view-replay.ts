import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { decodeEvent } from '../write/event-codec.js';
import type { Connection } from './connection.js';
import { LogReader } from './log/log-reader.js';
import type { ViewTables } from './view-tables.js';

/** Rows in memory at once: few enough for the young generation. */
const PAGE = 500;

export class ViewReplay {
  private position = 0;
  private readonly log: LogReader;

  constructor(
    source: Connection,
    private readonly tables: ViewTables,
    private readonly eventsPerStep: number,
  ) {
    this.log = new LogReader(source);
  }

  /** Writes each document once; true at the end of the log. */
  step(): boolean {
    const end = this.position + this.eventsPerStep;
    this.tables.apply(this.next(end));
    return this.position < end;
  }

  private *next(end: number): Generator<RecordedEvent> {
    while (this.position < end) {
      const rows = this.log.after(this.position, Math.min(PAGE, end - this.position));
      if (rows.length === 0) return;
      for (const row of rows) if (this.tables.handles(row.type)) yield decodeEvent(row);
      this.position = Number(rows.at(-1)!.position);
    }
  }
}
