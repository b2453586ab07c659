import type { Database as Connection } from 'better-sqlite3';
import { crc32 } from 'node:zlib';
import { positionFromNumber } from '../../write/event-codec.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import { CorruptEventError } from '../../../kernel/errors.js';

/** Increment if older releases must not open the database. */
export const SCHEMA_VERSION = 4;
/** Packs may be in archive files. */
export const ARCHIVED_VERSION = 5;

/**
 * `packs`: consecutive events of a stream at rest, by the position of the first. `packed`: the pack of each
 * position. Index of names: prefixes, which differ in half the bytes.
 */
export const LOG = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE INDEX streams_by_name ON streams (substr(name, 1, 18));
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, type TEXT NOT NULL,
    id TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, checksum INTEGER,
    UNIQUE (stream, revision)
  );
  CREATE TABLE IF NOT EXISTS packs (
    id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    checksum INTEGER NOT NULL, bytes BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS packs_of_stream ON packs (stream);
  CREATE TABLE IF NOT EXISTS packed (position INTEGER PRIMARY KEY, pack INTEGER NOT NULL);`;

/** SQL condition that uses the index. */
export function isNamed(name: string): string {
  return `substr(streams.name, 1, 18) = substr(${name}, 1, 18) AND streams.name = ${name}`;
}

/** 0 in new stores and those of releases without a schema version. */
export function readSchemaVersion(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number;
}

export function hasTable(db: Connection, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

/** CRC-32 over all texts but the position. One call over one text is a third cheaper than three. */
export function checksumOf(row: Omit<StoredText, 'position'>): number {
  const { stream, revision, id, type, data, metadata } = row;
  return crc32(`${stream} ${revision} ${id} ${type} ${data}${metadata}`);
}

/** Mixed with the position assigned by the writer. Signed, which SQLite stores in four bytes. */
export function storedChecksum(checksum: number, position: number): number {
  return checksum ^ position;
}

/** `checksum` is null in old releases; a packed event has only `position` and `pack`. */
export type EventColumns = readonly [
  position: number,
  stream: unknown,
  revision: number,
  type: unknown,
  id: unknown,
  data: unknown,
  metadata: unknown,
  checksum: number | null,
  pack: number | null,
];

/** @throws CorruptEventError if a column is no text or the checksum does not match */
export function rowFrom(columns: EventColumns): StoredText {
  const [number, stream, revision, type, id, data, metadata, checksum] = columns;
  const position = positionFromNumber(number);
  if (isText(stream) && isText(type) && isText(id) && isText(data) && isText(metadata)) {
    const row = { id, stream, revision, position, type, data, metadata };
    if (checksum === null || storedChecksum(checksumOf(row), number) === checksum) return row;
  }
  throw new CorruptEventError(String(stream), Number(revision), position);
}

function isText(column: unknown): column is string {
  return typeof column === 'string';
}
