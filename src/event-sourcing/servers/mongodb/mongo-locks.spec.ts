import { MongoClient, MongoNetworkError, type Collection, type Db } from 'mongodb';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { until } from '../../../../test/kit/polling.js';
import { startMongoServer, type MongoServer } from '../../../../test/stand-ins/mongodb/mongo-server.js';
import type { LeaseDocument } from './lease-documents.js';
import { MongoLocks } from './mongo-locks.js';
import { UnavailableError } from '../../../kernel/errors.js';

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
    // Renewals on a server that shuts down fail this soon.
    const hasty = await new MongoClient(server.url, { serverSelectionTimeoutMS: 200 }).connect();
    const work = async () => {
      await server.faults.fail({ times: 100, code: 91, codeName: 'ShutdownInProgress', message: 'no' });
      for (let seconds = 0; seconds < 11; seconds++) clock.advance(1_000);
      return 'counted';
    };

    const running = new MongoLocks(hasty.db(), clock).run('c', work);
    await expect(running).rejects.toThrow('the lock c was lost during the work');
    await hasty.close();
  });

  it('stays free when an unanswered renewal arrives after its release', async () => {
    const late = new LateRenewals();
    const delayed = new MongoLocks(late.over(client.db()), clock);
    await delayed.run('d', async () => {
      late.begin();
      clock.advance(3_000);
      await until('a renewal', 10_000, () => late.calls[0]);
    });
    for (const arrive of late.calls) await arrive();

    expect(await stored.findOne({ _id: 'd' })).toBeNull();
  });
});

/** Makes updates of locks fail without an answer once it begins, and keeps them to be carried out later. */
class LateRenewals {
  readonly calls: (() => Promise<unknown>)[] = [];
  private hasBegun = false;

  begin(): void {
    this.hasBegun = true;
  }

  over(db: Db): Db {
    const get = (target: Collection, name: keyof Collection) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      const isUpdate = name === 'updateOne' || name === 'findOneAndUpdate';
      return (...args: unknown[]) => {
        if (!isUpdate || !this.hasBegun) return method.apply(target, args);
        this.calls.push(() => method.apply(target, args));
        return Promise.reject(new MongoNetworkError('no answer'));
      };
    };
    const collection = (name: string) => new Proxy(db.collection(name), { get: get as never });
    return { collection } as unknown as Db;
  }
}
