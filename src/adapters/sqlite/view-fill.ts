import type { EventCodec } from '../../runtime/event-codec.js';
import type { Connection } from './connection.js';
import { eventsAfter } from './event-rows.js';
import type { ViewTables } from './view-tables.js';

/** Folds all events, from the first on, into a set of view tables. */
export class ViewFill {
  private position = 0;
  private readonly read: ReturnType<typeof eventsAfter>;

  constructor(
    source: Connection,
    private readonly tables: ViewTables,
    private readonly codec: EventCodec,
  ) {
    this.read = eventsAfter(source);
  }

  /** Folds the next events in one go: each document is written once. Answers how many events there were. */
  step(max: number): number {
    const rows = this.read(this.position, max);
    const last = rows.at(-1);
    if (!last) return 0;
    const handled = rows.filter(({ type }) => this.tables.handles(type));
    this.tables.apply(handled.map((row) => this.codec.decode(row)));
    this.position = Number(last.position);
    return rows.length;
  }
}
