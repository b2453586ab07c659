import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteCode } from './sqlite-errors.js';

/** Another process works on the folder. */
export class DataDirLockedError extends Error {
  constructor(readonly dataDir: string) {
    super(`${dataDir} is in use by another process`);
  }
}

/**
 * Takes the folder for this process; the returned function gives it back. The lock is one of the operating
 * system on an open file (an open exclusive transaction), so it ends with the process however that ends.
 *
 * @throws DataDirLockedError
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const db = new Database(join(dataDir, 'lock.db'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw new DataDirLockedError(dataDir);
    throw error;
  }
  return () => db.close();
}
