import { MongoClient, type Collection } from 'mongodb';
import { ManualClock } from '../../../test/kit/manual-clock.js';
import { until } from '../../../test/kit/polling.js';
import { startMongoServer, type MongoServer } from '../../../test/stand-ins/mongodb/mongo-server.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import type { LeaseDocument } from './lease-documents.js';
import { MongoLocks } from './mongo-locks.js';

describe('a lock over MongoDB while its work runs', () => {
  let server: MongoServer;
  let client: MongoClient;
  let clock: ManualClock;
  let locks: MongoLocks;
  let stored: Collection<LeaseDocument>;
  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  beforeEach(() => {
    clock = new ManualClock();
    locks = new MongoLocks(client.db(), clock);
    stored = client.db().collection('locks');
  });
  afterEach(() => server.faults.clear());
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  const untilOf = async (key: string) => (await stored.findOne({ _id: key }))?.until.getTime() ?? 0;

  it('is renewed every three seconds', async () => {
    const renewed = await locks.run('a', async () => {
      const before = await untilOf('a');
      clock.advance(3_000);
      return until('a later end', 10_000, async () => ((await untilOf('a')) > before ? true : undefined));
    });

    expect(renewed).toBe(true);
    expect(await untilOf('a')).toBe(0);
  });

  it('is reported as lost when another instance took it', async () => {
    const work = async () => {
      await stored.updateOne({ _id: 'b' }, { $set: { holder: 'another' } });
      clock.advance(3_000);
      return 'counted';
    };

    await expect(locks.run('b', work)).rejects.toThrow(UnavailableError);
    expect((await stored.findOne({ _id: 'b' }))?.holder).toBe('another');
  });

  it('is reported as lost when no renewal succeeded in ten seconds', async () => {
    const work = async () => {
      await server.faults.fail({ times: 100, code: 91, codeName: 'ShutdownInProgress', message: 'no' });
      for (let seconds = 0; seconds < 11; seconds++) clock.advance(1_000);
      return 'counted';
    };

    await expect(locks.run('c', work)).rejects.toThrow('the lock c was lost during the work');
  });
});
