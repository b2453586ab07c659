import { positionFromNumber, type StoredRow } from '../../runtime/event-codec.js';
import type { Connection } from './connection.js';

/** The columns of an event in the order of `SELECT`. */
export const EVENT_COLUMNS = 'position, id, stream, revision, type, data, metadata';

type Columns = [number, string, string, number, string, string, string];

export function rowOf(columns: unknown): StoredRow {
  const [position, id, stream, revision, type, data, metadata] = columns as Columns;
  return { position: positionFromNumber(position), id, stream, revision, type, data, metadata };
}

/** Reads all events page by page: those after a position, at most `max`. */
export function eventsAfter(db: Connection): (after: number, max: number) => StoredRow[] {
  const select = db
    .prepare(`SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
    .raw();
  return (after, max) => select.all(after, max).map(rowOf);
}
