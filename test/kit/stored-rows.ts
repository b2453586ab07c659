import Database from 'better-sqlite3';
import type { Connection } from '../../src/event-sourcing/embedded/connection.js';
import { checksumOf, storedChecksum } from '../../src/event-sourcing/embedded/log/log-schema.js';
import { LogReader } from '../../src/event-sourcing/embedded/log/log-reader.js';

interface WrittenEvent {
  readonly stream: string;
  readonly id?: string;
  readonly type?: string;
  readonly data?: object;
}

/** Adds the first event of a stream behind the writer's back, without a checksum. */
export function insertEvent(
  db: Connection,
  { stream, id = 'id', type = 'Job', data = {} }: WrittenEvent,
): void {
  const { lastInsertRowid } = db.prepare('INSERT INTO streams (name) VALUES (?)').run(stream);
  db.prepare(
    `INSERT INTO events (position, stream, revision, type, id, data, metadata)
     VALUES ((SELECT coalesce(max(position), 0) + 1 FROM events), ?, 0, ?, ?, ?, '{}')`,
  ).run(lastInsertRowid, type, id, JSON.stringify(data));
}

/** Rewrites the log as releases before packing stored it; those before checksums had no such column. */
export function asOlderRelease(file: string, { checksums = true } = {}): void {
  const db = new Database(file);
  const log = new LogReader(db);
  const rows = log.after(0, log.count());
  for (const table of ['events', 'streams', 'packs', 'packed']) db.exec(`DROP TABLE IF EXISTS ${table}`);
  db.exec("DELETE FROM checkpoints WHERE name = 'packing'");
  db.exec(`CREATE TABLE events (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL, stream TEXT NOT NULL, revision INTEGER NOT NULL,
    type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, checksum INTEGER, UNIQUE (stream, revision))`);
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const row of rows) {
    const position = Number(row.position);
    const { id, stream, revision, type, data, metadata } = row;
    insert.run(
      position,
      id,
      stream,
      revision,
      type,
      data,
      metadata,
      storedChecksum(checksumOf(row), position),
    );
  }
  if (!checksums) db.exec('ALTER TABLE events DROP COLUMN checksum');
  db.pragma('user_version = 1');
  db.close();
}
