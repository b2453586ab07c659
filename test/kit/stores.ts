import Database from 'better-sqlite3';
import {
  openForReading,
  openForWriting,
  openScratch,
  prepareForWriting,
  type Connection,
} from '../../src/event-sourcing/embedded/connection.js';
import { embeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { loadProjections, Writer } from '../../src/event-sourcing/embedded/writer.js';
import { SqliteHashStore } from '../../src/event-sourcing/embedded/sqlite-derived-stores.js';
import { SqliteEventStore } from '../../src/event-sourcing/embedded/sqlite-event-store.js';
import type { Receive, StoreThreads, WriterLink } from '../../src/event-sourcing/embedded/store-threads.js';
import { checkLogTables } from '../../src/event-sourcing/embedded/stored-state.js';
import { compareWithReplay, verifyViews } from '../../src/event-sourcing/embedded/view-verification.js';
import { WriterClient } from '../../src/event-sourcing/embedded/writer-client.js';
import { WriterHost } from '../../src/event-sourcing/embedded/writer-host.js';
import type { LogListeners } from '../../src/event-sourcing/log-listeners.js';
import type { AnyProjection } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Clock } from '../../src/kernel/time.js';
import { noStoreMetrics, type EventStore } from '../../src/event-sourcing/ports/event-store.port.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { FakeContentStore } from './fakes/content-store.js';
import { ManualClock } from './manual-clock.js';

export interface TestStoresOptions {
  readonly projections: readonly AnyProjection[];
  readonly clock?: Clock;
}

/** The embedded stores over a database in memory. */
export function openTestStores({ clock = new ManualClock(), projections }: TestStoresOptions): Stores {
  const reader = inMemory();
  const verify = async () => {
    const shadow = openScratch(':memory:');
    const verified = await compareWithReplay(reader, shadow, projections);
    shadow.close();
    return verified;
  };
  const writer = writerOf(reader, projections);
  const hashes = new SqliteHashStore(new Database(':memory:'));
  return embeddedStores({ reader, writer, files: new FakeContentStore(), hashes, clock, verify });
}

/** An event store over a database in memory, without views. */
export class TestEventStore extends SqliteEventStore {
  private readonly all: RecordedEvent[] = [];

  constructor(readonly db = inMemory()) {
    const writer = writerOf(db, []);
    super(db, writer, noStoreMetrics, () => writer.close());
    this.listen({ appended: (events) => void this.all.push(...events) });
  }

  /** All stored events, at once. */
  everything(): readonly RecordedEvent[] {
    return this.all;
  }
}

/** Runs the writer of a data folder in the test's own thread, which can load TypeScript. */
export const inProcess: StoreThreads = {
  async startWriter({ dataDir, projectionsUrl }, receive) {
    const projections = await loadProjections(projectionsUrl);
    return linkTo(new Writer(openForWriting(dataDir), projections), receive);
  },
  async verify({ dataDir, projectionsUrl }) {
    return verifyViews(dataDir, await loadProjections(projectionsUrl));
  },
  checkLog: async (dataDir) => checkLogTables(openForReading(dataDir)),
};

export function inMemory(): Connection {
  return prepareForWriting(new Database(':memory:'));
}

function writerOf(db: Connection, projections: readonly AnyProjection[]): WriterClient {
  const client = new WriterClient();
  client.connect(linkTo(new Writer(db, projections), (message) => client.receive(message)));
  return client;
}

function linkTo(writer: Writer, receive: Receive): WriterLink {
  const host = new WriterHost(writer, receive);
  return (message) => host.receive(message);
}

/** Notifies the listeners of a rollback, as the stores of several instances do. */
export function reportRollback(events: EventStore): void {
  (events as unknown as { readonly listeners: LogListeners }).listeners.rolledBack();
}
