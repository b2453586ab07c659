import { randomBytes } from 'node:crypto';
import { EventStoreDb } from '../../../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { until } from '../../../kit/polling.js';
import { fill } from '../../../kit/rollable-service.js';
import { startServers, type Servers } from '../../../kit/server-stores.js';
import { ServiceProcess } from '../../../kit/service-process.js';
import { createJob, openAccount, TestAgent } from '../../../kit/world.js';
import {
  startEventStoreServer,
  type EventStoreServer,
} from '../../../stand-ins/eventstore/eventstore-server.js';

const ALL = 100_000;
const MINUTE = 60_000;

describe('an event store restored to an older copy under running instances, with MongoDB kept', () => {
  let servers: Servers;
  let older: EventStoreServer | undefined;
  let instances: readonly [ServiceProcess, ServiceProcess];
  beforeAll(async () => {
    servers = await startServers();
    instances = [await ServiceProcess.prepare(), await ServiceProcess.prepare()];
    const env = { ...servers.env, SVC_MASTER_KEY: randomBytes(32).toString('base64') };
    await instances[0].start(env);
    await instances[1].start({ ...env, ROLE: 'api' });
  });
  afterAll(async () => {
    for (const instance of instances) await instance.remove();
    await older?.stop();
    await servers.stop();
  });

  const ready = async ({ url }: ServiceProcess) => {
    const answered = await fetch(url.replace('/v1', '/health/ready'));
    return { status: answered.status, body: (await answered.json()) as { details?: object } };
  };
  const isReady = (status: number) => async () => {
    const answers = await Promise.all(instances.map(ready));
    return answers.every((answer) => answer.status === status) || undefined;
  };

  /** The instances are paused meanwhile, so that they do not see the copy before it is complete. */
  async function putBack(copy: Awaited<ReturnType<EventStoreDb['readAll']>>): Promise<void> {
    for (const { pid } of instances) process.kill(pid, 'SIGSTOP');
    await servers.events.stop();
    older = await startEventStoreServer({ port: servers.events.port });
    const store = EventStoreDb.open({ url: older.url });
    await fill({ events: store }, copy);
    await store.close();
    for (const { pid } of instances) process.kill(pid, 'SIGCONT');
  }

  it('is reported, rebuilt within a minute, and shows the content of the log', async () => {
    const [worker, api] = instances;
    const account = await openAccount(worker);
    const { printerId } = await TestAgent.ready(worker, account.accountId);
    const create = () => createJob(worker, account.key, printerId);
    const waiting = String((await create()).body.data!.job_id);
    const store = EventStoreDb.open({ url: servers.events.url });
    const copy = await store.readAll({ max: ALL });
    await store.close();
    const lost = String((await create()).body.data!.job_id);
    expect((await api.call('GET', `/svc-api-print-jobs/${lost}`, { as: account.key })).status).toBe(200);
    await putBack(copy);

    await until('red', MINUTE, isReady(503));
    await until('green', MINUTE, isReady(200));
    for (const instance of instances) {
      expect((await ready(instance)).body).toMatchObject({ details: { store_rolled_back: 1 } });
      const { items } = (await instance.call('GET', '/svc-api-print-jobs', { as: account.key })).body
        .data as { items: { job_id: string; status: string }[] };
      expect(items.map(({ job_id, status }) => [job_id, status])).toEqual([[waiting, 'manual_review']]);
      const got = await instance.call('GET', `/svc-api-print-jobs/${lost}`, { as: account.key });
      expect(got.status).toBe(404);
    }
    const backupAt = copy.at(-1)!.metadata.at;
    const told = async (instance: ServiceProcess) =>
      (await createJob(instance, account.key, printerId)).headers.get('service-restored-from');
    for (const instance of instances) {
      await until('the time of the copy', MINUTE, async () => (await told(instance)) ?? undefined);
      expect(await told(instance)).toBe(backupAt);
    }
    expect((await worker.rps('views', 'verify')).code).toBe(0);
    await worker.end('SIGTERM');
    expect(worker.logs).toContain(`the event store was rolled back to ${backupAt}`);
  });
});
