import Database from 'better-sqlite3';
import { join } from 'node:path';
import { SHAPES } from './document-form.js';
import { prepareLog, showAsToday } from './log/migration.js';

export type Connection = Database.Database;

const FILE = 'rps.db';
/** A checkpoint per this many pages of the log writes hot pages once for many commits. */
const CHECKPOINT_PAGES = 4_000;
const BUSY_MS = 5_000;

export function databaseFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/** The only writing connection. A commit is on disk when it returns. */
export function openForWriting(dataDir: string): Connection {
  return prepareForWriting(new Database(databaseFile(dataDir), { timeout: BUSY_MS }));
}

export function prepareForWriting(db: Connection): Connection {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  db.pragma('journal_size_limit = 67108864');
  db.pragma('cache_size = -32768');
  db.exec(SCHEMA);
  prepareLog(db);
  return db;
}

export function openForReading(dataDir: string, cacheKb = 16_384): Connection {
  const db = new Database(databaseFile(dataDir), { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  db.pragma(`cache_size = -${cacheKb}`);
  return db;
}

/** Reads events also in a folder of an earlier release that no start has migrated. */
export function openLogForReading(dataDir: string): Connection {
  const db = openForReading(dataDir);
  showAsToday(db);
  return db;
}

/** Without journal and sync. */
export function openScratch(file: string): Connection {
  const db = new Database(file);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('cache_size = -32768');
  db.exec(COUNTS + SHAPES);
  return db;
}

const COUNTS = `
  CREATE TABLE IF NOT EXISTS counts (
    id INTEGER PRIMARY KEY, view_table TEXT NOT NULL, key TEXT NOT NULL, n INTEGER NOT NULL,
    UNIQUE (view_table, key)
  );`;

/** `views` names the current table of each read model, `index_blocks` has the log index. log-schema.ts has the log. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS views (
    name TEXT PRIMARY KEY, version INTEGER NOT NULL, generation INTEGER NOT NULL, definition TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS contents (job_id TEXT PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS beats (key TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS checkpoints (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS index_blocks (
    owner TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (owner, first)
  );
  ${COUNTS}
  ${SHAPES}`;
