import type { Milliseconds, Clock } from '../../kernel/time.js';
import type { ContentStore } from '../ports/content-store.port.js';
import { noStoreMetrics, type StoreMetrics, type EventStore } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import { type ViewVerification, ViewMaintenance, type ViewStatus } from '../ports/view-store.port.js';
import { type Connection, openForReading } from './connection.js';
import { EmbeddedContentStore } from './embedded-content-store.js';
import { ReadingClient } from './reading-client.js';
import {
  HASH_FILES,
  SqliteCheckpointStore,
  SqliteHashStore,
  SqliteIndexBlocks,
} from './sqlite-derived-stores.js';
import { SqliteStoredTexts, SqliteEventStore } from './sqlite-event-store.js';
import { SqliteLivenessStore } from './sqlite-liveness-store.js';
import { SqliteViewStore } from './sqlite-view-store.js';
import { WriterClient } from './writer-client.js';
import { Locks } from '../ports/group-leases.port.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import { ViewRegistry } from './view-registry.js';
import { join } from 'node:path';
import { FileContentStore } from './files/file-content-store.js';
import { makePrivate } from './files/private-files.js';
import { damageOf, guardReader, isDamage } from './sqlite-errors.js';
import { claimDatabase, lockDataDir } from './data-dir-lock.js';
import { ARCHIVE } from './log/archive-files.js';
import { DatabaseWatch } from './database-watch.js';
import { checkRootPages, checkLogTables, hasFewStreams, makeDatabase, markStore } from './stored-state.js';
import { workerThreads, type StoreThreads } from './store-threads.js';
import { readLogState } from './write-ahead-log.js';
import type { StoreDamagedError, UnavailableError } from '../../kernel/errors.js';

const FLUSH_MS: Milliseconds = 5_000;

interface EmbeddedDependencies {
  readonly reader: Connection;
  readonly writer: WriterClient;
  readonly files: ContentStore;
  readonly hashes: SqliteHashStore;
  readonly reading?: ReadingClient | undefined;
  readonly clock: Clock;
  readonly verify: () => Promise<readonly ViewVerification[]>;
  /** Runs once, after everything else is closed. */
  readonly closed?: () => void;
  readonly flushMs?: Milliseconds;
  readonly metrics?: StoreMetrics;
}

export function embeddedStores(dependencies: EmbeddedDependencies): Stores {
  const { reader, writer, files, hashes, reading, clock, verify, metrics = noStoreMetrics } = dependencies;
  const liveness = new SqliteLivenessStore(reader, writer, clock, dependencies.flushMs ?? FLUSH_MS);
  const close = closeOnce(dependencies, liveness);
  // First listener of each commit, so that it drops old documents before other listeners read views.
  const views = new SqliteViewStore(reader, writer);
  const events = new SqliteEventStore(reader, writer, metrics, close);
  return {
    events,
    views,
    contents: new EmbeddedContentStore(reader, writer, files),
    liveness,
    checkpoints: new SqliteCheckpointStore(reader, writer),
    maintenance: new SqliteViewMaintenance(reader, events, writer, verify),
    indexBlocks: new SqliteIndexBlocks(reader, writer),
    texts: new SqliteStoredTexts(reader),
    hashes,
    ...(reading && { reading }),
    locks: new InProcessLocks(),
    packing: { run: (rule) => writer.perform({ kind: 'pack', rule }) },
    close,
  };
}

function closeOnce(
  { writer, reader, hashes, reading, closed = () => undefined }: EmbeddedDependencies,
  liveness: SqliteLivenessStore,
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () =>
    (closing ??= (async () => {
      // A broken writer cannot store the last heartbeats.
      await liveness.flush().catch(() => undefined);
      await reading?.close();
      await writer.close();
      reader.close();
      hashes.close();
      closed();
    })());
}

export class InProcessLocks extends Locks {
  private readonly mutex = new KeyedMutex();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.mutex.run(key, work);
  }
}

/** Views are written in the transaction of their events, so they never lag. */
export class SqliteViewMaintenance extends ViewMaintenance {
  private readonly registry: ViewRegistry;
  private verifying: Promise<readonly ViewVerification[]> | undefined;

  constructor(
    reader: Connection,
    private readonly events: EventStore,
    private readonly writer: WriterClient,
    private readonly runVerification: () => Promise<readonly ViewVerification[]>,
  ) {
    super();
    this.registry = new ViewRegistry(reader);
  }

  async check(): Promise<void> {
    this.registry.all();
  }

  async list(): Promise<readonly ViewStatus[]> {
    const position = await this.events.head();
    return this.registry.all().map(({ name, version }) => ({ name, version, position, lag: 0 }));
  }

  /** @throws RangeError for an unknown view */
  async rebuild(name: string): Promise<ViewStatus> {
    if (!this.registry.find(name)) throw new RangeError(`there is no view ${name}`);
    await this.writer.perform({ kind: 'rebuild', view: name });
    return (await this.list()).find((status) => status.name === name)!;
  }

  verify(): Promise<readonly ViewVerification[]> {
    this.verifying ??= this.runVerification().finally(() => (this.verifying = undefined));
    return this.verifying;
  }
}

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
  ...['master.key', 'operator-token', 'content', ARCHIVE],
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
