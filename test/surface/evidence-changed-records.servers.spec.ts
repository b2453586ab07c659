import { Binary, MongoClient } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { JobScene } from '../kit/job-scene.js';
import { ManualClock } from '../kit/manual-clock.js';
import { openTestServerStores, startServers, type Servers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { FileFolder } from '../kit/verifiers.js';
import { verdict } from './asking.js';
import { KnownHistory, proofOf } from './changed-events.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

const otherDigit = (text: string) => text.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

describe('one byte that changes in the stores of a stopped service', () => {
  const env = { SVC_MASTER_KEY: randomBytes(32).toString('base64') };
  const clock = new ManualClock();
  let servers: Servers;
  let service: TestService;
  let known: KnownHistory;
  const start = () =>
    startTestService({ clock, env, stores: (config, time) => openTestServerStores(config, time, servers) });

  beforeAll(async () => {
    servers = await startServers();
    service = await start();
    known = await KnownHistory.of(await JobScene.open(service), 5, folder);
  });
  afterAll(async () => {
    await service.close();
    await servers.stop();
  });

  /** Stops the service, changes the stores and starts it again. */
  async function stoppedFor(change: () => Promise<void>): Promise<void> {
    await service.close();
    await change();
    service = await start();
  }

  it.each(['t/0/0', 'p/0', 'a/ACCOUNT/0', 'progress'])(
    'is never signed from the hash store, which is built again: %s',
    async (named) => {
      const key = named.replace('ACCOUNT', known.scene.accountId);
      await stoppedFor(() => spoil(servers.mongo.url, key));
      const account = await service.call('GET', '/evidence/account', { as: known.scene.key });
      expect(verdict(account)).toBe('503 SVC_UNAVAILABLE');
      await known.expectWhole(service);
    },
  );

  it('is named in each part of a record of the event store', async () => {
    const [id, type, data, metadata, name] = known.printed as [string, string, string, string, string];
    const [created] = await service.stores.events.load(id, { max: 1 });
    const eventId = created!.id;
    const renamed = otherDigit(name);
    await stoppedFor(async () => {
      const alter = (stream: string, from: string, to: string) => servers.events.alter(stream, 0, from, to);
      await alter(id, eventId, otherDigit(eventId));
      await alter(type, 'JobCreated', 'JobCreateD');
      await alter(data, '"jobId"', '"jobid"');
      await alter(metadata, '"at":"2', '"at":"3');
      await alter(name, name, renamed);
    });
    const changed = [id, type, data, metadata, renamed].map((stream) => ({ stream, revision: 0 }));
    await known.expectNamed(service, ...changed);
    for (const [n, stream] of known.printed.entries())
      await known.expectFails(service, proofOf(stream), changed[n]!);
  });
});

/** Changes the last byte that is stored under a key of the hash store. */
async function spoil(url: string, key: string): Promise<void> {
  const client = new MongoClient(url);
  const blobs = client.db().collection<{ _id: string; blob: { length: number; bytes: Binary } }>('evidence');
  const { blob } = (await blobs.findOne({ _id: key }))!;
  const bytes = Buffer.from(blob.bytes.value());
  bytes[bytes.length - 1]! ^= 1;
  await blobs.updateOne({ _id: key }, { $set: { blob: { ...blob, bytes: new Binary(bytes) } } });
  await client.close();
}
