import { MongoStores } from '../../../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from '../../../../src/app/system/system-clock.js';
import { MemoryRateCounters } from '../../../../src/app/system/memory-rate-counters.js';
import { RateLimits } from '../../../../src/http/admission/rate-limits.js';
import { mongoServers, type MongoDatabases } from '../../../kit/mongo-databases.js';

const INSTANCES = 3;
const clock = new SystemClock();

describe.each(mongoServers)('rate counters over $name', ({ start }) => {
  let databases: MongoDatabases;
  let homes: MongoStores[];
  const limits = () =>
    homes.map((home) => new RateLimits(home.rateCounters(new MemoryRateCounters(clock)), {}));

  beforeAll(async () => void (databases = await start()));
  beforeEach(async () => {
    const url = databases.fresh();
    homes = await Promise.all(Array.from({ length: INSTANCES }, () => MongoStores.open({ url, clock })));
  });
  afterEach(async () => {
    for (const home of homes) await home.close();
    await databases.drop();
  });
  afterAll(() => databases.stop());

  const request = { limiter: 'integration', perMinute: 20, key: '$key.of a "client"' };

  it('allow requests up to the limit, across all instances', async () => {
    const instances = limits();
    const counted = await Promise.all(
      Array.from({ length: 60 }, (_, n) => instances[n % INSTANCES]!.count(request)),
    );

    expect(counted.filter((state) => !state!.exceeded)).toHaveLength(20);
    const remaining = counted.map((state) => state!.remaining).sort((a, b) => b - a);
    expect(remaining.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n));
    expect(
      counted.every(({ resetSeconds } = { ...counted[0]! }) => resetSeconds > 50 && resetSeconds <= 60),
    ).toBe(true);
  });

  it('take back the requests of another instance, and no more', async () => {
    const [one, two] = limits();
    await one!.count(request);
    await two!.count(request);
    expect(await two!.uncount(request)).toMatchObject({ remaining: 19 });
    await one!.uncount(request);
    await one!.uncount(request);

    expect(await two!.count(request)).toMatchObject({ remaining: 19 });
  });

  it('give a request back however many were refused meanwhile', async () => {
    const [one, two] = limits();
    await Promise.all(Array.from({ length: 40 }, () => one!.count(request)));
    await two!.count(request);
    expect(await two!.uncount(request)).toMatchObject({ remaining: 1 });

    expect(await one!.count(request)).toMatchObject({ remaining: 0, exceeded: false });
    expect(await two!.count(request)).toMatchObject({ remaining: 0, exceeded: true });
  });

  it('separate limiters and keys', async () => {
    const [one] = limits();
    await one!.count(request);

    expect(await one!.count({ ...request, key: 'other' })).toMatchObject({ remaining: 19 });
    expect(await one!.count({ ...request, limiter: 'agent' })).toMatchObject({ remaining: 19 });
  });

  it('start a new window when the previous one is over', async () => {
    const counters = homes[0]!.rateCounters(new MemoryRateCounters(clock));
    const { leftMs } = await counters.add('short:key', 1, 1_000);
    // The window follows the server's clock, so the test has to wait.
    await new Promise((resolve) => setTimeout(resolve, leftMs + 20));

    expect(await counters.add('short:key', 1, 1_000)).toMatchObject({ consumed: 1 });
  });
});
