import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** Server stores of a measure. */
export interface Servers {
  readonly eventStoreUrl: string;
  /** Of a database that no other measure uses. */
  readonly mongoUrl: string;
  /** Variables of docs/operations.md. */
  readonly env: Readonly<Record<string, string>>;
  /** Kind of servers, shown with the figures. */
  readonly kind: 'test servers' | 'the servers of EVENTSTORE_URL and MONGODB_URL';
  stop(): Promise<void>;
}

const DATABASE = 'rps-bench-';

/**
 * Uses the servers of the environment, else starts test servers for each measure. Servers may have been used before:
 * each measure has a new database, which is dropped at its end. The event store keeps the events of the measures, and
 * all of them are projected again by the next one: it must not be that of a service in use.
 */
export async function startServers(): Promise<Servers> {
  const { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL } = process.env;
  if (eventStoreUrl && MONGODB_URL) {
    const mongoUrl = withDatabase(MONGODB_URL, () => DATABASE + randomBytes(6).toString('hex'));
    return {
      eventStoreUrl,
      mongoUrl,
      env: envOf(eventStoreUrl, mongoUrl),
      kind: 'the servers of EVENTSTORE_URL and MONGODB_URL',
      stop: () => dropDatabases(mongoUrl),
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

/** The URL with another database. It may name several servers, which `URL` does not take. */
export function withDatabase(mongoUrl: string, rename: (name: string) => string): string {
  const [address = '', options] = mongoUrl.split('?');
  const [scheme, , servers, name = ''] = address.split('/');
  return `${scheme}//${servers}/${rename(name)}${options === undefined ? '' : `?${options}`}`;
}

/** Drops the database and those that a measure or the service named after it. */
async function dropDatabases(mongoUrl: string): Promise<void> {
  const client = new MongoClient(mongoUrl);
  try {
    const { databaseName } = client.db();
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const made = databases.map(({ name }) => name).filter((name) => name.startsWith(databaseName));
    for (const name of made) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}

function envOf(EVENTSTORE_URL: string, MONGODB_URL: string): Record<string, string> {
  return { EVENTSTORE_URL, MONGODB_URL, SVC_MASTER_KEY: randomBytes(32).toString('base64') };
}
