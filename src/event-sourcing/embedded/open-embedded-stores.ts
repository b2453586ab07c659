import { join } from 'node:path';
import type { Milliseconds, Clock } from '../../kernel/time.js';
import type { StoreMetrics } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import { FileContentStore } from './files/file-content-store.js';
import { makePrivate } from './files/private-files.js';
import { damageOf, guardReader, isDamage } from './sqlite-errors.js';
import { openForReading, type Connection } from './connection.js';
import { claimDatabase, lockDataDir } from './data-dir-lock.js';
import { DatabaseWatch } from './database-watch.js';
import { embeddedStores } from './embedded-stores.js';
import { HASH_FILES, SqliteHashStore } from './sqlite-hash-store.js';
import { ReadingClient } from './reading-client.js';
import { checkRootPages, checkLogTables, hasFewStreams, makeDatabase, markStore } from './stored-state.js';
import { workerThreads, type StoreThreads } from './store-threads.js';
import { readLogState } from './write-ahead-log.js';
import { WriterClient } from './writer-client.js';
import type { StoreDamagedError, UnavailableError } from '../../kernel/errors.js';

interface EmbeddedOptions {
  readonly dataDir: string;
  /** Module that exports `projections`. */
  readonly projectionsUrl: string;
  /** A ReadingModule for a thread of its own. */
  readonly readingUrl?: string;
  readonly threads?: StoreThreads;
  readonly clock: Clock;
  readonly flushMs?: Milliseconds;
  readonly metrics?: StoreMetrics;
  /** The store can no longer be written; the process has to restart. */
  readonly onFatal?: (error: Error) => void;
  /** Throws to refuse the folder; called under its lock, before anything is created in it. */
  readonly admit?: () => void;
  /** Check value of the master key, stored beside the events. */
  readonly keyCheck?: () => string;
}

const PRIVATE = [
  ...['lock.db', 'lock.db-journal', 'rps.db', 'rps.db-wal', 'rps.db-shm', ...HASH_FILES],
  ...['master.key', 'operator-token', 'content'],
];

/** @throws DataDirLockedError if another process uses the folder */
export async function openEmbeddedStores(options: EmbeddedOptions): Promise<Stores> {
  makePrivate(options.dataDir, PRIVATE);
  const unlock = lockDataDir(options.dataDir);
  let claim: Connection | undefined;
  try {
    claim = claimFolder(options);
    return await openUnderLock(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  } finally {
    claim?.close();
  }
}

function claimFolder({ dataDir, admit, keyCheck }: EmbeddedOptions): Connection {
  admit?.();
  const { hasRest } = readLogState(dataDir);
  makeDatabase(dataDir);
  const claim = claimDatabase(dataDir);
  try {
    // Appended commits would make the rest look like damage to a later start.
    if (hasRest) claim.pragma('wal_checkpoint(TRUNCATE)');
    checkRootPages(claim);
    if (hasFewStreams(claim)) checkLogTables(claim);
    markStore(claim, keyCheck?.());
    return claim;
  } catch (error) {
    claim.close();
    throw error;
  }
}

async function openUnderLock(options: EmbeddedOptions, unlock: () => void): Promise<Stores> {
  const { dataDir, projectionsUrl, readingUrl, onFatal, metrics, threads = workerThreads } = options;
  const files = await FileContentStore.open(join(dataDir, 'content'));
  const writer = new WriterClient({ metrics, onFatal });
  const folder = { dataDir, projectionsUrl };
  writer.connect(await threads.startWriter(folder, (message) => writer.receive(message)));
  try {
    // Damage found by a reader, or a lost database file, also ends the writer, and with it the process.
    const fail = (error: UnavailableError) => writer.fail(error);
    const reader = guardReader(openForReading(dataDir), fail);
    const watch = new DatabaseWatch(dataDir, fail);
    // Beside the running service, which is ended by what is found.
    if (!hasFewStreams(reader)) void failing(() => threads.checkLog(dataDir), fail).catch(() => undefined);
    const verify = () => failing(() => threads.verify(folder), fail);
    const closed = () => {
      watch.stop();
      unlock();
    };
    const hashes = SqliteHashStore.open(dataDir);
    const reading = readingUrl === undefined ? undefined : new ReadingClient({ dataDir, readingUrl }, fail);
    return embeddedStores({ ...options, reader, writer, files, hashes, reading, verify, closed });
  } catch (error) {
    // Its thread would keep the process alive.
    await writer.close();
    throw error;
  }
}

async function failing<T>(work: () => Promise<T>, onDamage: (error: StoreDamagedError) => void): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDamage(error)) throw error;
    const damage = damageOf(error);
    onDamage(damage);
    throw damage;
  }
}
