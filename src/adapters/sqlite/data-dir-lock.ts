import Database from 'better-sqlite3';
import { join } from 'node:path';
import type { Milliseconds } from '../../kernel/time.js';
import { makeFolders } from '../filesystem/private-files.js';
import { databaseFile, type Connection } from './connection.js';
import { sqliteCode } from './sqlite-errors.js';

/** Another process works on the folder. */
export class DataDirLockedError extends Error {
  constructor(readonly dataDir: string) {
    super(`${dataDir} is in use by another process`);
  }
}

/** Outlasts a doctor, a backup or a process that is just ending. */
const WAIT_MS: Milliseconds = 1_000;

/**
 * Takes the folder for this process; the returned function gives it back. The lock is one of the operating
 * system on an open file (an open exclusive transaction), so it ends with the process however that ends. It orders
 * the starts, also in a folder without a database; `claimDatabase` holds when `lock.db` was removed.
 *
 * @throws DataDirLockedError
 */
export function lockDataDir(dataDir: string): () => void {
  makeFolders(dataDir);
  const db = new Database(join(dataDir, 'lock.db'), { timeout: WAIT_MS });
  refuseBusy(dataDir, db, () => db.exec('BEGIN EXCLUSIVE'));
  return () => db.close();
}

/**
 * Proves that no other connection, of any process, has the database itself open, and returns a connection that keeps
 * others from proving the same. The lock is on the inode of `rps.db`: every open connection in WAL mode holds it shared,
 * so the writer and the reader keep the claim, and the returned connection may be closed once they are open
 * (docs/decisions/014-one-process-per-data-folder.md).
 *
 * @throws DataDirLockedError
 */
export function claimDatabase(dataDir: string): Connection {
  const db = new Database(databaseFile(dataDir), { fileMustExist: true, timeout: WAIT_MS });
  refuseBusy(dataDir, db, () => {
    db.pragma('journal_mode = WAL');
    // Reads, so that the log is opened with shared memory: opened in exclusive mode it could never be shared again.
    db.pragma('schema_version');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    // The end of this transaction turns the exclusive lock into a shared one; no other process gets in between.
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
