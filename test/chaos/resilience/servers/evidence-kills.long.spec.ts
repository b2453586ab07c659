import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { SqliteHashStore } from '../../../../src/event-sourcing/embedded/sqlite-derived-stores.js';
import { EventStoreDb } from '../../../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { ServerStoredTexts } from '../../../../src/event-sourcing/servers/eventstoredb/log-reader.js';
import { expectOneLog, publishAndKeep, stepOf, STEPS } from '../../../kit/publications.js';
import { startServers } from '../../../kit/server-stores.js';
import { ServiceProcess } from '../../../kit/service-process.js';
import { openAccount } from '../../../kit/world.js';

const MINUTE = 60_000;
const reached = new Set<string>();

/** Kills an instance at the n-th write to its hash store. False if two publications make fewer writes. */
async function killAt(write: number, carriedOut: boolean): Promise<boolean> {
  const servers = await startServers();
  const service = await ServiceProcess.prepare();
  const env = { ...servers.env, SVC_MASTER_KEY: randomBytes(32).toString('base64') };
  try {
    await service.start(env);
    const { key } = await openAccount(service);
    const kept: string[] = [];
    await servers.mongo.stopAt({ collection: 'evidence', write, carriedOut });
    const publishing = async () => {
      await publishAndKeep(service, key, kept);
      await openAccount(service);
      await publishAndKeep(service, key, kept);
      await servers.mongo.clear();
    };
    const cut = publishing().catch(() => undefined);
    const isReached = await servers.mongo.whenStopped();
    await service.end('SIGKILL');
    await cut;
    await servers.mongo.clear();
    await service.start(env);
    if (isReached) reached.add(await stepOf(service));
    await publishAndKeep(service, key, kept);
    const store = EventStoreDb.open({ url: servers.events.url });
    const hashes = new SqliteHashStore(new Database(':memory:'));
    await expectOneLog(service, key, kept, { texts: new ServerStoredTexts(store), hashes }).finally(() =>
      store.close(),
    );
    return isReached;
  } finally {
    await service.remove();
    await servers.stop();
  }
}

describe('killing an instance on server stores at each write of a publication', () => {
  it(
    'forks no log, and gives the same trees: in turn before and after it is carried out',
    async () => {
      let points = 0;
      while (await killAt(points + 1, points % 2 === 1)) points++;
      process.stdout.write(`kills of an instance at writes to the hash store: ${points}\n`);
      expect(points).toBeGreaterThan(5);
    },
    20 * MINUTE,
  );

  it('has met each step', () => {
    expect(STEPS.filter((step) => !reached.has(step))).toEqual([]);
  });
});
