import { MongoClient } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { partitions } from '../../src/event-sourcing/ports/partitions.js';
import { viewDatabase } from '../../src/event-sourcing/servers/mongodb/mongo-read-models.js';
import { startMongoServer, type MongoServer } from '../stand-ins/mongodb/mongo-server.js';

/** More than one: those of each other number stay empty. */
export const TESTED_PARTITIONS = 2;

/** A MongoDB with separate databases for each test. */
export interface MongoDatabases {
  /** URL of a new database. */
  fresh(): string;
  /** Drops the databases used since the last call. */
  drop(): Promise<void>;
  stop(): Promise<void>;
}

const real = process.env.MONGODB_URL;

/** The test server, and a real one if MONGODB_URL is set. */
export const mongoServers: readonly { name: string; start: () => Promise<MongoDatabases> }[] = [
  {
    name: 'MongoDB, the test server',
    async start() {
      const server = await startMongoServer();
      return databasesOf(server.url, () => server.stop());
    },
  },
  ...(real ? [{ name: 'MongoDB', start: async () => databasesOf(real, async () => undefined) }] : []),
];

/** Prints one line if no real server is tested. */
export function sayWhenNotReal(suite: string): void {
  if (!real) process.stderr.write(`${suite}: no real MongoDB, MONGODB_URL is not set\n`);
}

export function freshUrlOf({ url }: Pick<MongoServer, 'url'>): string {
  return url.replace(/^([^/]+:\/\/[^/?]+)(\/[^?]*)?/, `$1/rps_test_${randomBytes(6).toString('hex')}`);
}

function databasesOf(url: string, stop: () => Promise<void>): MongoDatabases {
  const used: string[] = [];
  return {
    fresh() {
      const fresh = freshUrlOf({ url });
      used.push(fresh);
      return fresh;
    },
    async drop() {
      for (const one of used.splice(0)) await dropDatabases(one);
    },
    stop,
  };
}

/** Drops the read models, also of partitions, and the contents. */
export async function dropDatabases(url: string): Promise<void> {
  const client = new MongoClient(url);
  const { databaseName } = client.db();
  const ofParts = partitions(TESTED_PARTITIONS).map((one) => viewDatabase(databaseName, one));
  for (const name of [databaseName, `${databaseName}-content`, ...ofParts])
    await client.db(name).dropDatabase();
  await client.close();
}
