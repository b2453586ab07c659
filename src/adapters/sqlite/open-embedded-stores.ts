import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import type { StoreDamagedError } from '../../ports/event-store.port.js';
import { noStoreMetrics, type StoreMetrics } from '../../ports/store-metrics.port.js';
import type { Stores } from '../../ports/stores.js';
import type { ViewVerification } from '../../ports/view-maintenance.port.js';
import { EventCodec } from '../../event-sourcing/write/event-codec.js';
import { InProcessLocks } from '../system/in-process-locks.js';
import { FileContentStore } from '../filesystem/file-content-store.js';
import { makePrivate } from '../filesystem/private-files.js';
import { guardReader } from './guarded-reader.js';
import { openForReading, type Connection } from './connection.js';
import { claimDatabase, lockDataDir } from './data-dir-lock.js';
import { DatabaseWatch } from './database-watch.js';
import { EmbeddedContentStore } from './embedded-content-store.js';
import { loadProjections } from './load-projections.js';
import { makeDatabase } from './make-database.js';
import { SqliteCheckpointStore } from './sqlite-checkpoint-store.js';
import { damageOf, isDamage } from './sqlite-errors.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { SqliteLivenessStore } from './sqlite-liveness-store.js';
import { SqliteTimerStore } from './sqlite-timer-store.js';
import { SqliteViewMaintenance } from './sqlite-view-maintenance.js';
import { SqliteViewStore } from './sqlite-view-store.js';
import { markStore } from './store-marks.js';
import { verifyViews } from './view-verification.js';
import { WriterClient } from './writer-client.js';
import { writerInProcess, writerInThread } from './writer-link.js';
import type { WriterThreadData } from './writer-thread.js';
import type { Projections } from './writer.js';

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** URL of a module that exports `projections` (and `upcasters`, if old events need them). */
  readonly projectionsUrl: string;
  /** False only in tests: every commit then blocks the event loop. */
  readonly thread?: boolean;
  readonly clock: Clock;
  /** Maximum delay before heartbeats are written. */
  readonly flushMs?: Milliseconds;
  readonly metrics?: StoreMetrics;
  /** Called when writing is no longer possible: the process must restart. */
  readonly onFatal?: (error: Error) => void;
  /** Throws to refuse the folder; called under its lock, before anything is created in it. */
  readonly admit?: () => void;
  /** Check value of the master key, stored beside the events; called once the database exists. */
  readonly keyCheck?: () => string;
}

const FLUSH_MS = 5_000;
const PRIVATE = [
  ...['lock.db', 'lock.db-journal', 'rps.db', 'rps.db-wal', 'rps.db-shm'],
  ...['master.key', 'operator-token', 'content'],
];

/** Opens the stores of a folder. @throws DataDirLockedError if another process uses it */
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

/** Checks and claims the folder: its database is open in no other process. */
function claimFolder({ dataDir, admit, keyCheck }: EmbeddedOptions): Connection {
  admit?.();
  makeDatabase(dataDir);
  const claim = claimDatabase(dataDir);
  try {
    markStore(claim, keyCheck?.());
    return claim;
  } catch (error) {
    claim.close();
    throw error;
  }
}

async function openUnderLock(options: EmbeddedOptions, unlock: () => void): Promise<Stores> {
  const projected = await loadProjections(options.projectionsUrl);
  const files = await FileContentStore.open(join(options.dataDir, 'content'));
  const writer = await openWriter(options, projected);
  try {
    return openOver(writer, { options, projected, files, unlock });
  } catch (error) {
    // Its thread would keep the process alive.
    await writer.close();
    throw error;
  }
}

interface Beside {
  readonly options: EmbeddedOptions;
  readonly projected: Projections;
  readonly files: FileContentStore;
  readonly unlock: () => void;
}

/** Damage found by a reader, or a lost database file, stops the writer and the process. */
function openOver(writer: WriterClient, { options, projected, files, unlock }: Beside): Stores {
  const { dataDir, clock, flushMs = FLUSH_MS, metrics = noStoreMetrics } = options;
  const reader = guardReader(openForReading(dataDir), (error) => writer.fail(error));
  const liveness = new SqliteLivenessStore(reader, writer, clock, flushMs);
  const watch = new DatabaseWatch(dataDir, (error) => writer.fail(error));
  const close = closeOnce(liveness, writer, reader, () => {
    watch.stop();
    unlock();
  });
  const views = new SqliteViewStore(reader);
  writer.onCommit(() => views.forget());
  const events = new SqliteEventStore(reader, writer, new EventCodec(projected.upcasters), metrics, close);
  const verify = () => verification(options, projected, (error) => writer.fail(error));
  return {
    events,
    views,
    timers: new SqliteTimerStore(views, writer),
    contents: new EmbeddedContentStore(reader, writer, files),
    liveness,
    checkpoints: new SqliteCheckpointStore(reader, writer),
    maintenance: new SqliteViewMaintenance(reader, events, writer, verify),
    locks: new InProcessLocks(),
    close,
  };
}

function openWriter(
  {
    dataDir,
    projectionsUrl,
    thread = true,
    metrics = noStoreMetrics,
    onFatal = () => undefined,
  }: EmbeddedOptions,
  projected: Projections,
): Promise<WriterClient> {
  return WriterClient.open(
    (receive) =>
      thread
        ? writerInThread({ dataDir, projectionsUrl }, receive)
        : writerInProcess(dataDir, projected, receive),
    metrics,
    onFatal,
  );
}

/** Beside the writer, which goes on appending meanwhile. */
async function verification(
  { dataDir, projectionsUrl, thread = true }: EmbeddedOptions,
  projected: Projections,
  onDamage: (error: StoreDamagedError) => void,
): Promise<readonly ViewVerification[]> {
  try {
    return thread ? await verifyInThread({ dataDir, projectionsUrl }) : verifyViews(dataDir, projected);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const damage = damageOf(error);
    onDamage(damage);
    throw damage;
  }
}

function verifyInThread(workerData: WriterThreadData): Promise<readonly ViewVerification[]> {
  return new Promise((resolve, reject) => {
    new Worker(new URL('./verification-thread.js', import.meta.url), { workerData })
      .once('message', resolve)
      .once('error', reject);
  });
}

function closeOnce(
  liveness: SqliteLivenessStore,
  writer: WriterClient,
  reader: Connection,
  unlock: () => void,
): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () =>
    (closed ??= (async () => {
      // A failed writer cannot store the last heartbeats.
      await liveness.flush().catch(() => undefined);
      await writer.close();
      reader.close();
      unlock();
    })());
}
