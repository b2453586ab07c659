import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, openForWriting } from './connection.js';
import { hasDatabase } from './stored-state.js';

const UNFINISHED = 'unfinished';

/**
 * Makes the database when there is none, aside and then renamed: `rps.db` is never empty or half made, however a first
 * start ends. The log of a lost database is kept as `rps.db-wal.lost`: SQLite would play it into the new one.
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
