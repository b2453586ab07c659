import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from './files/private-files.js';
import {
  databaseFile,
  openForReading,
  openForWriting,
  openLogForReading,
  type Connection,
} from './connection.js';
import { ARCHIVE } from './log/archive-files.js';
import { LogReader } from './log/log-reader.js';
import { ARCHIVED_VERSION, hasTable, readSchemaVersion } from './log/log-schema.js';
import { hasEvents } from './log/migration.js';
import { StoreDamagedError } from '../../kernel/errors.js';

export interface StoredState {
  /** `foreign`: without our tables, or not a file. `newer`: written by a newer release. */
  readonly database: 'absent' | 'empty' | 'foreign' | 'newer' | 'ours';
  readonly hasEvents: boolean;
  /** Undefined in older stores. */
  readonly keyCheck?: string | undefined;
  /** Files and folders that only a used folder has. */
  readonly remains: readonly string[];
}

const NO_EVENTS = { hasEvents: false };

/**
 * Reads the remains first: a concurrent first start creates the database before the keys. @throws SqliteError
 */
export function storedState(dataDir: string): StoredState {
  const remains = remainsIn(dataDir);
  const file = statSync(databaseFile(dataDir), { throwIfNoEntry: false });
  if (!file) return { database: 'absent', ...NO_EVENTS, remains };
  if (!file.isFile()) return { database: 'foreign', ...NO_EVENTS, remains };
  if (file.size === 0) return { database: 'empty', ...NO_EVENTS, remains };
  return { ...withDatabase(dataDir, databaseState), remains };
}

/** Closes the database after the reading. @param open for reading the log: `openLogForReading` */
export function withDatabase<T>(folder: string, read: (db: Connection) => T, open = openForReading): T {
  const db = open(folder);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Do not open an empty one: SQLite would delete its log. */
export function hasDatabase(dataDir: string): boolean {
  return (statSync(databaseFile(dataDir), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function databaseState(db: Connection): Omit<StoredState, 'remains'> {
  if (readSchemaVersion(db) > ARCHIVED_VERSION) return { database: 'newer', ...NO_EVENTS };
  if (!hasTable(db, 'events')) return { database: 'foreign', ...NO_EVENTS };
  return { database: 'ours', hasEvents: hasEvents(db), keyCheck: readKeyCheck(db) };
}

function remainsIn(dataDir: string): string[] {
  const isThere = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined;
  const files = ['master.key', 'operator-token'].filter(isThere);
  if ((statSync(join(dataDir, 'rps.db-wal'), { throwIfNoEntry: false })?.size ?? 0) > 0)
    files.push('rps.db-wal');
  if (isThere(ARCHIVE)) files.push(`${ARCHIVE}/`);
  return isThere('content') && hasDocuments(join(dataDir, 'content')) ? [...files, 'content/'] : files;
}

/** Folders stay when their last document is deleted. */
function hasDocuments(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) =>
      entry.name !== 'unfinished' &&
      (!entry.isDirectory() || readdirSync(join(folder, entry.name)).length > 0),
  );
}

const KEY_CHECK = 'key_check';

function readKeyCheck(db: Connection): string | undefined {
  if (!hasTable(db, KEY_CHECK)) return undefined;
  return db.prepare(`SELECT value FROM ${KEY_CHECK}`).pluck().get() as string | undefined;
}

/** Writes only changes. */
export function markStore(db: Connection, keyCheck: string | undefined): void {
  db.pragma('synchronous = FULL');
  if (keyCheck === undefined || readKeyCheck(db) === keyCheck) return;
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${KEY_CHECK} (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`,
  );
  db.prepare(`INSERT OR REPLACE INTO ${KEY_CHECK} (id, value) VALUES (1, ?)`).run(keyCheck);
}

/**
 * SQLite accepts an index that begins at another one's page and hides all events. @throws StoreDamagedError
 */
export function checkRootPages(db: Connection): void {
  const shared = db
    .prepare('SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 GROUP BY rootpage HAVING count(*) > 1')
    .pluck()
    .get();
  if (shared === undefined) return;
  throw new StoreDamagedError(
    `the database is damaged: two tables or indexes begin at page ${String(shared)}`,
  );
}

/** A store with more streams is checked beside the running service: a million take seconds. */
const FEW_STREAMS = 20_000;

export function hasFewStreams(db: Connection): boolean {
  if (!hasTable(db, 'streams')) return true;
  return ((db.prepare('SELECT max(id) FROM streams').pluck().get() as number | null) ?? 0) <= FEW_STREAMS;
}

/**
 * Damage in these tables or their indexes hides streams and the newest events, as if they had never existed. Packs
 * have checksums of their own. @throws SqliteError
 */
export function checkLogTables(db: Connection): void {
  for (const table of ['streams', 'events', 'packed']) {
    const damage = hasTable(db, table) ? damageIn(db, table) : undefined;
    if (damage !== undefined) throw new Database.SqliteError(damage, 'SQLITE_CORRUPT');
  }
}

/** Streams of these types are never packed. The folder may be in use. */
export function newestEvent<D>(dataDir: string, types: readonly string[]): D | undefined {
  if (!hasDatabase(dataDir)) return undefined;
  const data = withDatabase(dataDir, (db) => new LogReader(db).newestOf(types), openLogForReading);
  return data === undefined ? undefined : (JSON.parse(data) as D);
}

export const UNFINISHED = 'unfinished';

export function removeUnfinished(dataDir: string): void {
  rmSync(join(dataDir, UNFINISHED), { recursive: true, force: true });
}

/** First finding in the table, or in the whole database. */
export function damageIn(db: Connection, table = '1'): string | undefined {
  const [first] = db.pragma(`integrity_check(${table})`) as { integrity_check: string }[];
  return first?.integrity_check === 'ok' ? undefined : (first?.integrity_check ?? 'it cannot be checked');
}

/**
 * Renames a complete database, so `rps.db` is never empty. SQLite would replay the log of a lost one: keep it
 * aside.
 */
export function makeDatabase(dataDir: string): void {
  const file = databaseFile(dataDir);
  // Also of an interrupted compaction, which may be large.
  removeUnfinished(dataDir);
  if (hasDatabase(dataDir)) return;
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })) renameSync(`${file}-wal`, `${file}-wal.lost`);
  rmSync(`${file}-shm`, { force: true });
  const aside = join(dataDir, UNFINISHED);
  mkdirSync(aside, { mode: 0o700 });
  openForWriting(aside).close();
  renameSync(databaseFile(aside), file);
  removeUnfinished(dataDir);
  syncFolder(dataDir);
}
