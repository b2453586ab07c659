import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { openObservedStores } from '../../src/app/server-stores.js';
import { projectionsFor } from '../../src/app/projections.js';
import { ManualClock } from '../kit/manual-clock.js';
import { soon } from '../kit/polling.js';
import { fill } from '../kit/rollable-service.js';
import { startServers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';
import { startEventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { kept } from './export-import.js';

const ALL = 100_000;
/** As a server writes by itself, also when it starts. */
const statistics = {
  stream: '$stats-127.0.0.1:2113',
  type: '$statsCollected',
  data: `{"a":"${'x'.repeat(997)}"}`,
};

describe('an event store restored to an older copy, with MongoDB kept', () => {
  const clock = new ManualClock();
  const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function startOn(
    eventStoreUrl: string,
    mongoUrl: string,
    PROJECTOR_PARTITIONS: string,
  ): Promise<TestService> {
    const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
    return startTestService({
      env: { ...env, PROJECTOR_PARTITIONS },
      clock,
      stores: (config, serviceClock) =>
        openObservedStores({
          ...{ eventStoreUrl, mongoUrl, serviceClock, logger },
          projections: projectionsFor(config),
          partitions: config.projectorPartitions,
          registry: new Registry(),
        }),
    });
  }

  it.each([
    ['as it was', '1', 0],
    ['grown by records of the server', '1', 40],
    ['under two partitions', '2', 0],
  ])(
    'has its read models rebuilt and its active jobs parked before they are shown again: %s',
    async (_, partitions, records) => {
      const servers = await startServers();
      closing.push(servers.stop);
      const before = await startOn(servers.events.url, servers.mongo.url, partitions);
      const account = await openAccount(before);
      const { printerId } = await TestAgent.ready(before, account.accountId);
      const create = async () => String((await createJob(before, account.key, printerId)).body.data!.job_id);
      const waiting = await create();
      const copy = await before.stores.events.readAll({ max: ALL });
      const lost = await create();
      await before.close();
      const older = await startEventStoreServer();
      closing.push(() => older.stop());
      const store = EventStoreDb.open({ url: older.url });
      await fill({ events: store }, copy);
      await store.close();
      await older.injectAll(Array.from({ length: records }, () => statistics));
      const after = await startOn(older.url, servers.mongo.url, partitions);
      closing.push(() => after.close());

      const ready = async () => (await fetch(after.url.replace('/v1', '/health/ready'))).text();
      await soon(async () => (await ready()).includes('"store_rolled_back":1'));
      const list = () => after.call('GET', '/svc-api-print-jobs', { as: account.key });
      await soon(async () => (await list()).status === 200);
      const { items } = (await list()).body.data as { items: { job_id: string; status: string }[] };
      expect(items.map(({ job_id, status }) => [job_id, status])).toEqual([[waiting, 'manual_review']]);
      expect((await after.call('GET', `/svc-api-print-jobs/${lost}`, { as: account.key })).status).toBe(404);
      const types = (await kept(after)).map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['StoreRestored', 'StoreRollbackDetected']));
      expect(JSON.parse(await ready())).toMatchObject({ status: 'ok', details: { store_rolled_back: 1 } });
    },
  );
});
