import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, openForReading, type Connection } from './connection.js';
import { hasTable, readKeyCheck, readSchemaVersion, SCHEMA_VERSION } from './store-marks.js';

/** State of a data folder before a start. */
export interface StoredState {
  /** `foreign`: without our tables, or not a file. `newer`: written by a newer release. */
  readonly database: 'absent' | 'empty' | 'foreign' | 'newer' | 'ours';
  readonly hasEvents: boolean;
  /** Check value of the last used master key; undefined in older stores. */
  readonly keyCheck?: string | undefined;
  /** Names of files and folders that only a used folder has. */
  readonly remains: readonly string[];
}

const NO_EVENTS = { hasEvents: false };

/**
 * Reads a folder without changing it. Reads the remains first: a concurrent first start creates the database before
 * the keys, so it is never mistaken for a used folder. @throws SqliteError if the database is damaged or unreadable
 */
export function storedState(dataDir: string): StoredState {
  const remains = remainsIn(dataDir);
  const file = statSync(databaseFile(dataDir), { throwIfNoEntry: false });
  if (!file) return { database: 'absent', ...NO_EVENTS, remains };
  if (!file.isFile()) return { database: 'foreign', ...NO_EVENTS, remains };
  if (file.size === 0) return { database: 'empty', ...NO_EVENTS, remains };
  const db = openForReading(dataDir);
  try {
    return { ...databaseState(db), remains };
  } finally {
    db.close();
  }
}

/** Whether a non-empty database exists. Do not open an empty one, because SQLite would delete its log. */
export function hasDatabase(dataDir: string): boolean {
  return (statSync(databaseFile(dataDir), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function databaseState(db: Connection): Omit<StoredState, 'remains'> {
  if (readSchemaVersion(db) > SCHEMA_VERSION) return { database: 'newer', ...NO_EVENTS };
  if (!hasTable(db, 'events')) return { database: 'foreign', ...NO_EVENTS };
  const event = db.prepare('SELECT 1 FROM events LIMIT 1').get();
  return { database: 'ours', hasEvents: event !== undefined, keyCheck: readKeyCheck(db) };
}

function remainsIn(dataDir: string): string[] {
  const isThere = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false }) !== undefined;
  const files = ['master.key', 'operator-token'].filter(isThere);
  if ((statSync(join(dataDir, 'rps.db-wal'), { throwIfNoEntry: false })?.size ?? 0) > 0)
    files.push('rps.db-wal');
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
