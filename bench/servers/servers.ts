import { randomBytes } from 'node:crypto';

/** Server stores of a measure. */
export interface Servers {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** Variables of docs/operations.md. */
  readonly env: Readonly<Record<string, string>>;
  /** Kind of servers, shown with the figures. */
  readonly kind: 'test servers' | 'the servers of EVENTSTORE_URL and MONGODB_URL';
  stop(): Promise<void>;
}

/**
 * Uses the servers of the environment, else starts test servers for each measure. Real servers keep the measured data:
 * use a separate database and an empty event store.
 */
export async function startServers(): Promise<Servers> {
  const { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongoUrl } = process.env;
  if (eventStoreUrl && mongoUrl) {
    const kind = 'the servers of EVENTSTORE_URL and MONGODB_URL';
    return {
      eventStoreUrl,
      mongoUrl,
      env: envOf(eventStoreUrl, mongoUrl),
      kind,
      stop: async () => undefined,
    };
  }
  // Test servers are part of the sources, not of the image.
  const { startEventStoreServer } = await import('../../test/stand-ins/eventstore/eventstore-server.js');
  const { startMongoServer } = await import('../../test/stand-ins/mongodb/mongo-server.js');
  const [events, mongo] = await Promise.all([startEventStoreServer(), startMongoServer()]);
  return {
    eventStoreUrl: events.url,
    mongoUrl: mongo.url,
    env: envOf(events.url, mongo.url),
    kind: 'test servers',
    stop: async () => void (await Promise.all([events.stop(), mongo.stop()])),
  };
}

function envOf(EVENTSTORE_URL: string, MONGODB_URL: string): Record<string, string> {
  return { EVENTSTORE_URL, MONGODB_URL, SVC_MASTER_KEY: randomBytes(32).toString('base64') };
}
