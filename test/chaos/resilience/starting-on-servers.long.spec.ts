import { SystemClock } from '../../../src/app/system/system-clock.js';
import { loadConfig } from '../../../src/config.js';
import { ArchiveManifest } from '../../../src/event-sourcing/servers/archive/archive-manifest.js';
import { openTestServerStores, startServers, type Servers } from '../../kit/server-stores.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { until } from '../../kit/polling.js';

const KEY = Buffer.from('starting-on-servers-starting-on-').toString('base64');
/** Above the timeout of one attempt to reach MongoDB. */
const AWAY_MS = 10_000;
/** The timeout for a server that never answers is much longer. */
const SOON_MS = 3_000;
const HANGS_MS = 30_000;
const UNREACHABLE = { mongo: 'mongodb://127.0.0.1:9/rps', events: 'esdb://127.0.0.1:9?tls=false' };

let servers: Servers;
let service: ServiceProcess;
beforeAll(async () => {
  servers = await startServers();
  service = await ServiceProcess.prepare();
});
afterAll(async () => {
  await service.remove();
  await servers.stop();
});
const env = (more: Record<string, string> = {}) => ({ ...servers.env, SVC_MASTER_KEY: KEY, ...more });

describe('starting on server stores', () => {
  it.each([
    ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113?tls=false&throwOnAppendFailure=false'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/rps?foo=bar'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/admin'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/rps?tls=true&tlsCAFile=/nowhere/ca.pem'],
  ])('exits with 78 and one sentence for an unusable URL: %s=%s', async (name, url) => {
    const { code, stderr } = await service.another(env({ [name]: url }));
    expect([code, stderr]).toEqual([78, expect.stringContaining(`${name} cannot be used: `)]);
    expect(stderr).not.toContain('    at ');
  });

  it('waits for a MongoDB that does not answer yet', async () => {
    await servers.mongo.dropAll(AWAY_MS);
    expect(await service.start(env())).toMatchObject({ msg: 'ready', stores: 'servers' });
    expect((await service.end('SIGTERM')).code).toBe(0);
    expect(service.logs).toContain('the servers do not answer yet');
  });

  describe('when stopped during startup', () => {
    afterEach(() => Promise.all([servers.mongo.faults.clear(), servers.events.faults.clear()]));
    /** Exits with 0 soon, without a ready line. */
    const endsWell = async (signal: 'SIGTERM' | 'SIGINT') => {
      const began = performance.now();
      const { code, signal: killedBy, stdout } = await service.end(signal);
      expect([code, killedBy, stdout]).toEqual([0, null, '']);
      expect(performance.now() - began).toBeLessThan(SOON_MS);
    };

    it.each([
      ['MongoDB', 'SIGTERM', { MONGODB_URL: UNREACHABLE.mongo }],
      ['MongoDB', 'SIGINT', { MONGODB_URL: UNREACHABLE.mongo }],
      ['EventStoreDB', 'SIGTERM', { EVENTSTORE_URL: UNREACHABLE.events }],
    ] as const)('exits with 0 while %s is down (%s)', async (_, signal, away) => {
      await service.startUntil('the servers do not answer yet', env(away));
      await endsWell(signal);
    });

    it('exits with 0 while MongoDB is frozen', async () => {
      const asked = async () => (await servers.mongo.counters()).commands['createIndexes'] ?? 0;
      const before = await asked();
      await servers.mongo.faults.hang();
      service.begin(env());
      await until('what hangs', HANGS_MS, async () => (await asked()) > before || undefined);
      await endsWell('SIGTERM');
    });

    it('exits with 0 while EventStoreDB is frozen', async () => {
      await servers.events.faults.set({ hangReads: true });
      service.begin(env());
      const { events } = servers;
      await until('what hangs', HANGS_MS, async () => (await events.counters()).openReads || undefined);
      await endsWell('SIGTERM');
    });
  });

  it('logs that another master key was used before', async () => {
    const other = Buffer.from('another-key-another-key-another-').toString('base64');
    await service.start(env({ SVC_MASTER_KEY: other }));
    await service.end('SIGTERM');
    expect(service.logs).toContain('SVC_MASTER_KEY is not the one that was used before');
  });

  it('exits with 78 without ARCHIVE_DIR once a file of an archive is listed', async () => {
    const stores = await openTestServerStores(loadConfig(env()), new SystemClock(), servers);
    const ends = { first: '1', last: '3', until: '4', before: '2026-10-27T00:00:00.000Z' };
    const file = { name: '2026-11-27-0.db', bytes: 1, sha256: '', streams: 1, events: 3, ...ends };
    await new ArchiveManifest(stores.events).add(file);
    await stores.close();
    const { code, stderr } = await service.another(env());
    expect([code, stderr]).toEqual([78, expect.stringContaining('set ARCHIVE_DIR to its folder')]);
  });
});
