import type { Milliseconds, Clock } from '../../kernel/time.js';
import type { ContentStore } from '../ports/content-store.port.js';
import { noStoreMetrics, type StoreMetrics } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import type { ViewVerification } from '../ports/view-store.port.js';
import { EventCodec, type Upcasters } from '../write/event-codec.js';
import { InProcessLocks } from './in-process-locks.js';
import type { Connection } from './connection.js';
import { EmbeddedContentStore } from './embedded-content-store.js';
import { SqliteCheckpointStore } from './sqlite-checkpoint-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { SqliteLivenessStore } from './sqlite-liveness-store.js';
import { SqliteViewMaintenance } from './sqlite-view-maintenance.js';
import { SqliteViewStore } from './sqlite-view-store.js';
import type { WriterClient } from './writer-client.js';

const FLUSH_MS: Milliseconds = 5_000;

interface EmbeddedDependencies {
  readonly reader: Connection;
  readonly writer: WriterClient;
  readonly files: ContentStore;
  readonly clock: Clock;
  readonly verify: () => Promise<readonly ViewVerification[]>;
  /** Runs once, after everything else is closed. */
  readonly closed?: () => void;
  readonly upcasters?: Upcasters | undefined;
  readonly flushMs?: Milliseconds;
  readonly metrics?: StoreMetrics;
}

export function embeddedStores(dependencies: EmbeddedDependencies): Stores {
  const { reader, writer, files, clock, verify, metrics = noStoreMetrics } = dependencies;
  const liveness = new SqliteLivenessStore(reader, writer, clock, dependencies.flushMs ?? FLUSH_MS);
  const close = closeOnce(dependencies, liveness);
  // First listener of each commit, so that it drops old documents before other listeners read views.
  const views = new SqliteViewStore(reader, writer);
  const events = new SqliteEventStore(reader, writer, new EventCodec(dependencies.upcasters), metrics, close);
  return {
    events,
    views,
    contents: new EmbeddedContentStore(reader, writer, files),
    liveness,
    checkpoints: new SqliteCheckpointStore(reader, writer),
    maintenance: new SqliteViewMaintenance(reader, events, writer, verify),
    locks: new InProcessLocks(),
    packing: { run: (rule) => writer.pack(rule) },
    close,
  };
}

function closeOnce(
  { writer, reader, closed = () => undefined }: EmbeddedDependencies,
  liveness: SqliteLivenessStore,
): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () =>
    (closing ??= (async () => {
      // A broken writer cannot store the last heartbeats.
      await liveness.flush().catch(() => undefined);
      await writer.close();
      reader.close();
      closed();
    })());
}
