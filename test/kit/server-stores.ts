import { pino } from 'pino';
import { Registry } from 'prom-client';
import { SingletonWorkers } from '../../src/app/singleton-workers.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { openObservedStores, type ObservedStores } from '../../src/app/server-stores.js';
import { projectionsFor } from '../../src/app/projections.js';
import type { Config } from '../../src/config.js';
import type { Clock } from '../../src/kernel/time.js';
import { startEventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { startMongoServer } from '../stand-ins/mongodb/mongo-server.js';

/** Starts a new EventStoreDB stand-in, of one or more members, and a MongoDB stand-in. */
export async function startServers({ members = 1 } = {}) {
  const [events, mongo] = await Promise.all([startEventStoreServer({ members }), startMongoServer()]);
  return {
    events,
    mongo,
    urls: { eventStoreUrl: events.url, mongoUrl: mongo.url },
    /** Variables of docs/operations.md. */
    env: { EVENTSTORE_URL: events.url, MONGODB_URL: mongo.url },
    stop: async () => void (await Promise.all([events.stop(), mongo.stop()])),
  };
}

export type Servers = Awaited<ReturnType<typeof startServers>>;

/**
 * Server stores on servers of their own, which stop with them, or on the given ones. For ROLE=api, also runs a worker
 * for the read models.
 */
export async function openTestServerStores(
  config: Config,
  serviceClock: Clock,
  given?: Servers,
): Promise<ObservedStores> {
  const servers = given ?? (await startServers());
  const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const stores = await openObservedStores({
    ...servers.urls,
    ...{ partitions: config.projectorPartitions, archiveDir: config.archiveDir },
    projections: projectionsFor(config),
    serviceClock,
    logger,
    registry: new Registry(),
  });
  const worker = new SingletonWorkers({
    ...{ leases: stores.leases, clock: new SystemClock() },
    ...{ holder: 'worker', logger },
  });
  if (config.role === 'api') {
    for (const [group, projector] of stores.projectors!) worker.addWorker(group, stores.leases!, projector);
    await worker.start();
  }
  return {
    ...stores,
    async close() {
      await worker.stop();
      await stores.close();
      if (!given) await servers.stop();
    },
  };
}
