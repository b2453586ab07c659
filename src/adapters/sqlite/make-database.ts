import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, openForWriting } from './connection.js';
import { hasDatabase } from './stored-state.js';

const UNFINISHED = 'unfinished';

/**
 * Creates a missing database in a temporary folder and renames it, so that `rps.db` is never empty or incomplete after
 * any end of a first start. Keeps the log of a lost database as `rps.db-wal.lost`, because SQLite would replay it.
 */
export function makeDatabase(dataDir: string): void {
  const file = databaseFile(dataDir);
  if (hasDatabase(dataDir)) return;
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })) renameSync(`${file}-wal`, `${file}-wal.lost`);
  rmSync(`${file}-shm`, { force: true });
  const aside = join(dataDir, UNFINISHED);
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { mode: 0o700 });
  openForWriting(aside).close();
  renameSync(databaseFile(aside), file);
  rmSync(aside, { recursive: true });
  syncFolder(dataDir);
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
