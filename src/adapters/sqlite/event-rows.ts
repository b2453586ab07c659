import { crc32 } from 'node:zlib';
import { positionFromNumber, type StoredRow } from '../../event-sourcing/write/event-codec.js';
import { CorruptEventError } from '../../ports/event-store.port.js';
import type { Connection } from './connection.js';

/** CRC-32 over all columns of an event except its position. One call over one text is a third cheaper than three. */
export function checksumOf(row: Omit<StoredRow, 'position'>): number {
  const { stream, revision, id, type, data, metadata } = row;
  return crc32(`${stream} ${revision} ${id} ${type} ${data}${metadata}`);
}

/**
 * The stored checksum, mixed with the position assigned by the writer. A signed 32-bit number, which SQLite stores in
 * four bytes.
 */
export function storedChecksum(checksum: number, position: number): number {
  return checksum ^ position;
}

/** The columns of an event in the order of `SELECT`. */
export const EVENT_COLUMNS = 'position, id, stream, revision, type, data, metadata, checksum';

type Columns = [number, string, string, number, string, string, string, number | null];

/** @throws CorruptEventError if the checksum does not match; rows of older releases have none. */
export function rowOf(columns: unknown): StoredRow {
  const [position, id, stream, revision, type, data, metadata, checksum] = columns as Columns;
  const row = { position: positionFromNumber(position), id, stream, revision, type, data, metadata };
  if (!hasTexts(row) || (checksum !== null && storedChecksum(checksumOf(row), position) !== checksum)) {
    throw new CorruptEventError(String(stream), Number(revision), row.position);
  }
  return row;
}

/** One flipped bit turns a text column into a blob or a null. */
function hasTexts({ id, stream, type, data, metadata }: StoredRow): boolean {
  return (
    typeof id === 'string' &&
    typeof stream === 'string' &&
    typeof type === 'string' &&
    typeof data === 'string' &&
    typeof metadata === 'string'
  );
}

/** Reads all events page by page: those after a position, at most `max`. */
export function eventsAfter(db: Connection): (after: number, max: number) => StoredRow[] {
  const select = db
    .prepare(`SELECT ${EVENT_COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
    .raw();
  return (after, max) => select.all(after, max).map(rowOf);
}
