import { MongoClient } from 'mongodb';
import { soon } from '../kit/polling.js';
import { openTestServerStores, startServers, type Servers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';

const JOBS = 12;

describe('two instances with two partitions', () => {
  let servers: Servers;
  let one: TestService;
  let other: TestService;
  let mongo: MongoClient;

  beforeAll(async () => {
    servers = await startServers();
    mongo = await MongoClient.connect(servers.mongo.url);
    const SVC_MASTER_KEY = Buffer.alloc(32, 'key').toString('base64');
    const start = (clock?: TestService['clock']) =>
      startTestService({
        ...(clock && { clock }),
        env: { SVC_MASTER_KEY, PROJECTOR_PARTITIONS: '2' },
        stores: (config, time) => openTestServerStores(config, time, servers),
      });
    one = await start();
    other = await start(one.clock);
  });
  afterAll(async () => {
    await other.close();
    await mongo.close();
    await servers.stop();
  });

  /** Holders of the two leases; empty for a free one. */
  async function holders(): Promise<readonly string[]> {
    const leases = mongo.db('rps').collection<{ _id: string; holder: string }>('group_leases');
    const found = await leases.find({ _id: { $in: ['views-1of2', 'views-2of2'] } }).toArray();
    return found.map(({ holder }) => holder);
  }
  const isShared = async () => {
    const held = await holders();
    return held.length === 2 && !held.includes('') && held[0] !== held[1];
  };

  it('project one each, print each job once, and go on when one of them stops', async () => {
    await soon(isShared);
    const { accountId, key } = await openAccount(one);
    const { agent, printerId } = await TestAgent.ready(other, accountId);
    const create = async (service: TestService) =>
      String((await createJob(service, key, printerId)).body.data!.job_id);
    const created = await Promise.all(
      Array.from({ length: JOBS }, (_, n) => create(n % 2 === 0 ? one : other)),
    );
    const printed: string[] = [];
    for (let n = 0; n < JOBS; n++) printed.push((await agent.print()).job_id);
    expect([...printed].sort()).toEqual([...created].sort());

    await one.close();
    await soon(async () => {
      const held = await holders();
      return held[0] === held[1] && held[0] !== '';
    });
    const last = await create(other);
    expect((await agent.print()).job_id).toBe(last);
    const listed = async (query: string) =>
      (await other.call('GET', `/svc-api-print-jobs?limit=100${query}`, { as: key })).body.data as {
        items: { job_id: string }[];
        total: number;
      };
    await soon(async () => (await listed('&status=spooler_completed')).total === JOBS + 1);
    const { items } = await listed('');
    expect(items.map(({ job_id }) => job_id).sort()).toEqual([...created, last].sort());
    const { items: verified } = await other.operate('POST', '/views/verify');
    expect((verified as { name: string; equal: boolean }[]).filter(({ equal }) => !equal)).toEqual([]);
  });
});
