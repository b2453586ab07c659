import Database from 'better-sqlite3';
import { join } from 'node:path';
import type { Milliseconds } from '../../kernel/time.js';
import { DataDirLockedError } from '../../kernel/errors.js';
import { makeFolders } from './files/private-files.js';
import { databaseFile, type Connection } from './connection.js';
import { sqliteCode } from './sqlite-errors.js';

/** Long enough for an ending doctor, backup or process. */
const WAIT_MS: Milliseconds = 1_000;

/**
 * Any end of the process frees the open transaction on `lock.db`. Returns the unlock. @throws
 * DataDirLockedError
 */
export function lockDataDir(dataDir: string): () => void {
  makeFolders(dataDir);
  const db = new Database(join(dataDir, 'lock.db'), { timeout: WAIT_MS });
  refuseBusy(dataDir, db, () => db.exec('BEGIN EXCLUSIVE'));
  return () => db.close();
}

/**
 * No other process may have the database open (docs/decisions/014-one-process-per-data-folder.md). Close the
 * claim once reader and writer are open. @throws DataDirLockedError
 */
export function claimDatabase(dataDir: string): Connection {
  const db = new Database(databaseFile(dataDir), { fileMustExist: true, timeout: WAIT_MS });
  refuseBusy(dataDir, db, () => {
    db.pragma('journal_mode = WAL');
    // A read opens the log with shared memory; opened in exclusive mode it could never be shared.
    db.pragma('schema_version');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    // The end of this transaction turns the exclusive lock into a shared one without a gap.
    db.pragma('locking_mode = NORMAL');
    db.exec('BEGIN IMMEDIATE; COMMIT');
  });
  return db;
}

function refuseBusy(dataDir: string, db: Connection, lock: () => void): void {
  try {
    lock();
  } catch (error) {
    db.close();
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw new DataDirLockedError(dataDir);
    throw error;
  }
}
