import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { SqliteHashStore } from '../../src/event-sourcing/embedded/sqlite-derived-stores.js';
import { ManualClock } from '../kit/manual-clock.js';
import { publishEvidence, taken } from '../kit/proofs.js';
import { expectOneLog } from '../kit/publications.js';
import { openTestServerStores, startServers, type Servers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { openAccount } from '../kit/world.js';

describe('two instances that publish at once on the same server stores', () => {
  const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };
  const clock = new ManualClock();
  let servers: Servers;
  let instances: readonly [TestService, TestService];
  const start = () =>
    startTestService({ clock, env, stores: (config, time) => openTestServerStores(config, time, servers) });

  beforeAll(async () => {
    servers = await startServers();
    instances = [await start(), await start()];
  });
  afterAll(async () => {
    for (const instance of instances) await instance.close();
    await servers.stop();
  });

  it('build one log, also from a lost hash store', async () => {
    const [one, other] = instances;
    const { key } = await openAccount(one);
    const kept: string[] = [];
    for (let n = 0; n < 3; n++) {
      await openAccount(n % 2 === 0 ? one : other);
      if (n === 2) await one.stores.hashes.clear();
      await Promise.all(instances.map(publishEvidence));
      kept.push(await taken(one, key, '/log/checkpoint'));
    }
    expect(await taken(one, key, '/log/checkpoint')).toBe(await taken(other, key, '/log/checkpoint'));
    const hashes = new SqliteHashStore(new Database(':memory:'));
    await expectOneLog(one, key, kept, { texts: other.stores.texts, hashes });
  });
});
