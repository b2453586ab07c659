import { startServers, type Servers } from '../kit/server-stores.js';
import { ServiceProcess } from '../kit/service-process.js';

const KEY = Buffer.from('starting-on-servers-starting-on-').toString('base64');
/** Longer than one look at MongoDB takes to give up. */
const AWAY_MS = 5_000;

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
    ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113'],
    ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113?tls=false&foo=bar'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/rps?foo=bar'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/admin'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/local?directConnection=true'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/config'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017/rps?tls=true&tlsCAFile=/nowhere/ca.pem'],
  ])('is refused in words for a URL that will not do: %s=%s', async (name, url) => {
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

  it('says when another master key was used before', async () => {
    const other = Buffer.from('another-key-another-key-another-').toString('base64');
    await service.start(env({ SVC_MASTER_KEY: other }));
    await service.end('SIGTERM');
    expect(service.logs).toContain('SVC_MASTER_KEY is not the one that was used before');
  });
});
