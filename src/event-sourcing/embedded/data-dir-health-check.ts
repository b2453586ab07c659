import Database from 'better-sqlite3';
import { existsSync, rmSync, statSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type HealthCheck, type Finding, fail, runCheck, ok, warn } from '../ports/findings.js';
import { databaseFile, openLogForReading, type Connection } from './connection.js';
import { LogReader } from './log/log-reader.js';
import { claimDatabase, lockDataDir } from './data-dir-lock.js';
import { damageIn, hasDatabase, withDatabase } from './stored-state.js';
import { readLogState, type LogState } from './write-ahead-log.js';
import { DataDirLockedError } from '../../kernel/errors.js';

const MIB = 1_048_576;
/** An event log only grows. */
const LITTLE_ROOM_BYTES = 1_024 * MIB;
const NO_ROOM_BYTES = 64 * MIB;
/** A slower sync delays every write. */
const SLOW_COMMIT_MS = 50;
const COMMITS = 5;

/** Leaves the folder unchanged. */
export async function* dataDirHealthCheck(dataDir: string): HealthCheck {
  if (!existsSync(dataDir)) {
    yield await runCheck('data folder', () => ok(`${dataDir} is made at the first start`));
    yield await room(nearest(dataDir));
    return;
  }
  yield await runCheck('data folder', () => folder(dataDir));
  yield await room(dataDir);
  let log: LogState | undefined;
  yield await runCheck('data folder: in use', () => lock(dataDir, (state) => (log = state)));
  if (log)
    yield { what: 'database: write-ahead log', ...(log.damage ? fail(restore(log.damage)) : ok('sound')) };
  yield await runCheck('data folder: write and read back', () => scratch(join(dataDir, 'doctor.db')));
  yield await runCheck('database', () => database(dataDir));
}

function folder(dataDir: string) {
  const { mode } = statSync(dataDir);
  const found = `${dataDir}, mode ${(mode & 0o777).toString(8)}`;
  return mode & 0o077 ? warn(`${found}: others may look into it`) : ok(found);
}

function room(folder: string): Promise<Finding> {
  return runCheck('data folder: free space', () => {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const found = `${Math.floor(free / MIB)} MiB`;
    if (free < NO_ROOM_BYTES) return fail(found);
    return free < LITTLE_ROOM_BYTES ? warn(`${found}: the event log only grows`) : ok(found);
  });
}

/** State of the log of a folder that no process uses; undefined without a database. @throws DataDirLockedError */
export function logOfUnused(dataDir: string): LogState | undefined {
  // Never create the file: it would belong to the user of the doctor.
  const unlock = existsSync(join(dataDir, 'lock.db')) ? lockDataDir(dataDir) : undefined;
  try {
    return hasDatabase(dataDir) ? readLogState(dataDir) : undefined;
  } finally {
    unlock?.();
  }
}

/** Reports the log of an unused database before claiming it, which deletes a damaged log. */
function lock(dataDir: string, onLog: (state: LogState) => void) {
  try {
    const log = logOfUnused(dataDir);
    if (log) {
      onLog(log);
      if (log.damage === undefined) claimDatabase(dataDir).close();
    }
    return ok('no');
  } catch (error) {
    if (error instanceof DataDirLockedError) return warn('by another process: is the service running?');
    throw error;
  }
}

const restore = (damage: string) => `${damage}: restore a backup`;

function scratch(file: string) {
  try {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec('CREATE TABLE scratch (n INTEGER)');
    const insert = db.prepare('INSERT INTO scratch (n) VALUES (?)');
    const started = performance.now();
    for (let n = 1; n <= COMMITS; n++) insert.run(n);
    const commitMs = (performance.now() - started) / COMMITS;
    const sum = db.prepare('SELECT sum(n) FROM scratch').pluck().get();
    db.close();
    if (sum !== (COMMITS * (COMMITS + 1)) / 2) return fail('what was written was not read');
    const found = `a commit takes ${commitMs.toFixed(1)} ms`;
    return commitMs > SLOW_COMMIT_MS ? warn(`${found}: a slow disk`) : ok(found);
  } finally {
    for (const rest of ['', '-wal', '-shm']) rmSync(file + rest, { force: true });
  }
}

function database(dataDir: string) {
  if (!existsSync(databaseFile(dataDir))) return ok('is made at the first start');
  if (!hasDatabase(dataDir)) return fail('an empty file: restore a backup');
  const read = (db: Connection) => {
    const damage = damageIn(db);
    if (damage !== undefined) return fail(restore(damage));
    const version = db.prepare('SELECT sqlite_version()').pluck().get() as string;
    const events = new LogReader(db).count();
    return ok(`whole, ${events} events, SQLite ${version}`);
  };
  return withDatabase(dataDir, read, openLogForReading);
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder));
}
