import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Duties } from '../../src/app/duties.js';
import { openServerStores, type ServerStores } from '../../src/app/open-server-stores.js';
import { projectionsFor } from '../../src/app/projections.js';
import type { Config } from '../../src/config.js';
import type { Clock } from '../../src/ports/clock.port.js';
import { startEventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { startMongoServer } from '../stand-ins/mongodb/mongo-server.js';

/** An EventStoreDB and a MongoDB of tests, fresh for whoever asks. */
export async function startServers() {
  const [events, mongo] = await Promise.all([startEventStoreServer(), startMongoServer()]);
  return {
    events,
    mongo,
    urls: { eventStoreUrl: events.url, mongoUrl: mongo.url },
    /** Named as in docs/operations.md. */
    env: { EVENTSTORE_URL: events.url, MONGODB_URL: mongo.url },
    stop: async () => void (await Promise.all([events.stop(), mongo.stop()])),
  };
}

export type Servers = Awaited<ReturnType<typeof startServers>>;

/**
 * Server stores over servers of their own, which end with them. An instance that serves the API alone has a worker
 * beside it that keeps the read models.
 */
export async function openTestServerStores(config: Config, serviceClock: Clock): Promise<ServerStores> {
  const servers = await startServers();
  const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const stores = await openServerStores({
    ...servers.urls,
    projections: projectionsFor(config),
    serviceClock,
    logger,
    registry: new Registry(),
  });
  const worker = new Duties({ leases: stores.leases, holder: 'worker', logger });
  if (config.role === 'api') await worker.addDuty('views', stores.leases!, stores.projector!).start();
  return {
    ...stores,
    async close() {
      await worker.stop();
      await stores.close();
      await servers.stop();
    },
  };
}
