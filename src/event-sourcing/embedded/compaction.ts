import Database from 'better-sqlite3';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PackingRule } from '../ports/stores.js';
import { syncFile } from './files/copied-file.js';
import { syncFolder } from './files/private-files.js';
import { databaseFile, openForWriting, type Connection } from './connection.js';
import { claimDatabase, lockDataDir } from './data-dir-lock.js';
import { LogReader } from './log/log-reader.js';
import { earlierEvents } from './log/migration.js';
import { Packing } from './log/packing.js';
import { damageIn, removeUnfinished, storedState, UNFINISHED, withDatabase } from './stored-state.js';
import { readLogState } from './write-ahead-log.js';

export interface Compacted {
  readonly moved: number;
  readonly packed: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export class CompactionError extends Error {}

/**
 * A crash leaves the old file or the new one. @throws DataDirLockedError, CompactionError; errors of the disk
 */
export async function compactDatabase(dataDir: string, rule: PackingRule): Promise<Compacted> {
  const { database } = storedState(dataDir);
  if (database !== 'ours') throw new CompactionError(REFUSED[database](dataDir));
  const unlock = lockDataDir(dataDir);
  try {
    const { damage } = readLogState(dataDir);
    if (damage !== undefined) throw new CompactionError(`${damage}: restore a backup`);
    claimDatabase(dataDir).close();
    removeUnfinished(dataDir);
    const file = databaseFile(dataDir);
    const moved = withDatabase(dataDir, earlierEvents);
    const db = openForWriting(dataDir);
    let packed: number;
    let before: number;
    try {
      packed = packAll(db, rule);
      emptyLog(db);
      before = statSync(file).size;
      writeAnew(db, dataDir);
    } finally {
      db.close();
    }
    await replace(dataDir);
    return { moved, packed, bytesBefore: before, bytesAfter: statSync(file).size };
  } finally {
    unlock();
  }
}

const REFUSED = {
  absent: (dataDir: string) => `${dataDir} holds no database`,
  empty: (dataDir: string) => `the database in ${dataDir} is empty: restore a backup`,
  foreign: (dataDir: string) => `${dataDir} holds a database of another program`,
  newer: (dataDir: string) => `the database in ${dataDir} was written by a newer release`,
};

function packAll(db: Connection, rule: PackingRule): number {
  const steps = new Packing(db).run(rule);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** SQLite would replay the log of the old file into the new one. @throws CompactionError */
function emptyLog(db: Connection): void {
  const [{ busy }] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
  if (busy) throw new CompactionError('another program reads the database: end it first');
}

/** @throws CompactionError if the new file lacks events */
function writeAnew(db: Connection, dataDir: string): void {
  const aside = join(dataDir, UNFINISHED);
  mkdirSync(aside, { mode: 0o700 });
  db.prepare('VACUUM INTO ?').run(databaseFile(aside));
  const copy = new Database(databaseFile(aside), { readonly: true });
  try {
    const [old, anew] = [new LogReader(db), new LogReader(copy)];
    const isWhole = old.count() === anew.count() && old.head() === anew.head();
    const damage = damageIn(copy);
    if (!isWhole || damage !== undefined)
      throw new CompactionError(`the new file is damaged: ${damage ?? 'events'}`);
  } finally {
    copy.close();
  }
}

async function replace(dataDir: string): Promise<void> {
  const aside = join(dataDir, UNFINISHED);
  await syncFile(databaseFile(aside));
  renameSync(databaseFile(aside), databaseFile(dataDir));
  syncFolder(dataDir);
  removeUnfinished(dataDir);
}
