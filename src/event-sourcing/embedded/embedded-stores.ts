import type { Milliseconds, Clock } from '../../kernel/time.js';
import type { ContentStore } from '../ports/content-store.port.js';
import {
  noStoreMetrics,
  type StoreMetrics,
  CheckpointStore,
  type EventStore,
} from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import { type ViewVerification, ViewMaintenance, type ViewStatus } from '../ports/view-store.port.js';
import type { Connection } from './connection.js';
import { EmbeddedContentStore } from './embedded-content-store.js';
import type { ReadingClient } from './reading-client.js';
import { SqliteIndexBlocks } from './sqlite-index-blocks.js';
import type { SqliteHashStore } from './sqlite-hash-store.js';
import { SqliteStoredTexts } from './sqlite-stored-texts.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { SqliteLivenessStore } from './sqlite-liveness-store.js';
import { SqliteViewStore } from './sqlite-view-store.js';
import type { WriterClient } from './writer-client.js';
import { Locks } from '../ports/group-leases.port.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import type { Statement } from 'better-sqlite3';
import type { Position } from '../../kernel/recorded-event.js';
import { ViewRegistry } from './view-registry.js';

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

/** Each write shares the current commit. */
export class SqliteCheckpointStore extends CheckpointStore {
  private readonly select: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
  ) {
    super();
    this.select = reader.prepare('SELECT position FROM checkpoints WHERE name = ?').pluck();
  }

  async get(name: string): Promise<Position | undefined> {
    return this.select.get(name) as Position | undefined;
  }

  async put(name: string, position: Position): Promise<void> {
    await this.writer.write(PUT_CHECKPOINT, [name, position]);
  }

  async replace(name: string, before: string | undefined, text: string): Promise<boolean> {
    return (await this.writer.write(REPLACE_CHECKPOINT, [name, text, name, before ?? null])) > 0;
  }
}

const PUT_CHECKPOINT = `
  INSERT INTO checkpoints (name, position) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET position = excluded.position WHERE excluded.position > position`;
const REPLACE_CHECKPOINT = `
  INSERT INTO checkpoints (name, position) SELECT ?, ?
  WHERE (SELECT position FROM checkpoints WHERE name = ?) IS ?
  ON CONFLICT (name) DO UPDATE SET position = excluded.position`;

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
