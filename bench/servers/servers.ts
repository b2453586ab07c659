import { randomBytes } from 'node:crypto';

/** Where the stores of a measure are. */
export interface Servers {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** Named as in docs/operations.md. */
  readonly env: Readonly<Record<string, string>>;
  /** What the figures are of. */
  readonly kind: 'test servers' | 'the servers of EVENTSTORE_URL and MONGODB_URL';
  stop(): Promise<void>;
}

/**
 * The servers that the environment names, else servers of our own for tests, fresh for each measure. Real servers
 * keep what is measured: give them a database of their own, and no other events.
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
  // They come with the sources, not with the image.
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
