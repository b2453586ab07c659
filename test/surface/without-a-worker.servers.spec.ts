import { soon } from '../kit/polling.js';
import { openTestServerStores, startServers, type Servers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';

const SVC_MASTER_KEY = Buffer.alloc(32, 'key').toString('base64');
const RECEIVER = 'http://127.0.0.1:9/';

describe('an instance for requests while no worker builds the read models', () => {
  let servers: Servers;
  let api: TestService;
  const start = (role: 'all' | 'api', clock?: TestService['clock']) =>
    startTestService({
      ...(clock && { clock }),
      env: { SVC_MASTER_KEY, ROLE: role, WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' },
      // The kit would start a worker beside it.
      stores: (config, time) => openTestServerStores({ ...config, role: 'all' }, time, servers),
    });

  beforeAll(async () => {
    servers = await startServers();
    const worker = await start('all');
    api = await start('api', worker.clock);
    await worker.close();
  });
  afterAll(async () => {
    await api.close();
    await servers.stop();
  });

  it('answers what was created, and calls nothing unknown that may be in the lag', async () => {
    const { accountId, key } = await openAccount(api);
    const webhook = await api.call('POST', '/svc-create-webhook', { as: key, json: { url: RECEIVER } });
    expect(webhook).toMatchObject({ status: 201, body: { data: { webhook: { url: RECEIVER } } } });
    const json = { name: 'maria', role: 'viewer' };
    expect(await api.operate('POST', `/accounts/${accountId}/members`, json)).toMatchObject({
      name: 'maria',
      link: { url: expect.stringContaining('/panel/#/enter/') },
    });

    const { printerId } = await TestAgent.ready(api, accountId);
    const refused = await createJob(api, key, printerId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);

    const worker = await start('all', api.clock);
    await soon(async () => (await createJob(api, key, printerId)).status === 201);
    const unknown = await createJob(api, key, '01990000-0000-7000-8000-000000000000');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'SVC_PRINTER_NOT_FOUND' } });
    await worker.close();
  });
});
