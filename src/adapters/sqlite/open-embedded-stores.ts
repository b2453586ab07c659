import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { noStoreMetrics, type StoreMetrics } from '../../ports/store-metrics.port.js';
import type { Stores } from '../../ports/stores.js';
import type { ViewVerification } from '../../ports/view-maintenance.port.js';
import { EventCodec } from '../../runtime/event-codec.js';
import { InProcessLocks } from '../system/in-process-locks.js';
import { FileContentStore } from '../filesystem/file-content-store.js';
import { openForReading, type Connection } from './connection.js';
import { lockDataDir } from './data-dir-lock.js';
import { EmbeddedContentStore } from './embedded-content-store.js';
import { loadProjections } from './load-projections.js';
import { SqliteCheckpointStore } from './sqlite-checkpoint-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';
import { SqliteTimerStore } from './sqlite-timer-store.js';
import { SqliteViewMaintenance } from './sqlite-view-maintenance.js';
import { SqliteViewStore } from './sqlite-view-store.js';
import { verifyViews } from './view-verification.js';
import { WriterClient } from './writer-client.js';
import { writerInProcess, writerInThread } from './writer-link.js';
import type { WriterThreadData } from './writer-thread.js';
import type { Projections } from './writer.js';

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** URL of a module that exports `projections` (and `upcasters`, if old events need them). */
  readonly projectionsUrl: string;
  /** Off only in tests: then every commit holds the event loop. */
  readonly thread?: boolean;
  readonly clock: Clock;
  /** How long a sign of life may wait for the disk. */
  readonly flushMs?: Milliseconds;
  readonly metrics?: StoreMetrics;
  /** Nothing can be written any more; the process has to end and start anew. */
  readonly onFatal?: (error: Error) => void;
}

const FLUSH_MS = 5_000;

/** Opens the stores that live in a folder. @throws DataDirLockedError when another process has them open */
export async function openEmbeddedStores(options: EmbeddedOptions): Promise<Stores> {
  const unlock = lockDataDir(options.dataDir);
  try {
    return await openUnderLock(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openUnderLock(options: EmbeddedOptions, unlock: () => void): Promise<Stores> {
  const { dataDir, metrics = noStoreMetrics, onFatal = () => undefined } = options;
  const projected = await loadProjections(options.projectionsUrl);
  const files = await FileContentStore.open(join(dataDir, 'content'));
  const writer = await openWriter(options, projected, metrics, onFatal);
  const reader = openForReading(dataDir);
  const operational = new SqliteOperationalStore(reader, writer, options.clock, options.flushMs ?? FLUSH_MS);
  const close = closeOnce(operational, writer, reader, unlock);
  const views = new SqliteViewStore(reader);
  writer.onCommit(() => views.forget());
  const events = new SqliteEventStore(reader, writer, new EventCodec(projected.upcasters), metrics, close);
  return {
    events,
    views,
    timers: new SqliteTimerStore(views, writer),
    contents: new EmbeddedContentStore(reader, writer, files),
    operational,
    checkpoints: new SqliteCheckpointStore(reader, writer),
    maintenance: new SqliteViewMaintenance(reader, events, writer, () => verify(options, projected)),
    locks: new InProcessLocks(),
    close,
  };
}

function openWriter(
  { dataDir, projectionsUrl, thread = true }: EmbeddedOptions,
  projected: Projections,
  metrics: StoreMetrics,
  onFatal: (error: Error) => void,
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
function verify(
  { dataDir, projectionsUrl, thread = true }: EmbeddedOptions,
  projected: Projections,
): Promise<readonly ViewVerification[]> {
  if (!thread) return Promise.resolve(verifyViews(dataDir, projected));
  const workerData: WriterThreadData = { dataDir, projectionsUrl };
  return new Promise((resolve, reject) => {
    new Worker(new URL('./verification-thread.js', import.meta.url), { workerData })
      .once('message', resolve)
      .once('error', reject);
  });
}

function closeOnce(
  operational: SqliteOperationalStore,
  writer: WriterClient,
  reader: Connection,
  unlock: () => void,
): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () =>
    (closed ??= (async () => {
      // A writer that has failed cannot take the last signs of life.
      await operational.flush().catch(() => undefined);
      await writer.close();
      reader.close();
      unlock();
    })());
}
