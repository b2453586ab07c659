import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { InProcessLocks } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { ManualClock } from '../kit/manual-clock.js';
import { mongoServers, type MongoDatabases } from '../kit/mongo-databases.js';
import { expectTheFurthestOfEachName } from './checkpoint-store.contract.js';
import { groupLeasesContract } from './group-leases.contract.js';
import { locksContract } from './locks.contract.js';
import { FakeGroupLeases } from '../kit/fakes/group-leases.js';

describe('leases of one process', () => {
  let clock: ManualClock;
  let leases: FakeGroupLeases;
  beforeEach(() => {
    clock = new ManualClock();
    leases = new FakeGroupLeases(clock);
  });
  groupLeasesContract(
    () => [leases, leases, leases],
    async (ms) => clock.advance(ms),
  );
});

describe('locks of one process', () => {
  const locks = new InProcessLocks();
  locksContract(() => [locks, locks, locks]);
});

describe.each(mongoServers)('leases, locks and checkpoints over $name', ({ start }) => {
  let databases: MongoDatabases;
  let homes: MongoStores[];
  beforeAll(async () => void (databases = await start()));
  beforeEach(async () => {
    const url = databases.fresh();
    const clock = new SystemClock();
    homes = await Promise.all([1, 2, 3].map(() => MongoStores.open({ url, clock })));
  });
  afterEach(async () => {
    for (const home of homes) await home.close();
    await databases.drop();
  });
  afterAll(() => databases.stop());

  groupLeasesContract(
    () => homes.map(({ leases }) => leases),
    // Leases in MongoDB follow its server's clock, which a test cannot set.
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  );
  locksContract(() => homes.map(({ locks }) => locks));

  it('tells each holder the smallest number of leases of another, until that has not reported for some time', async () => {
    const [one, two, three] = homes.map(({ members }) => members);
    expect(await one!.report('one', 4, 60_000)).toBe(Infinity);
    expect(await two!.report('two', 1, 60_000)).toBe(4);
    expect(await three!.report('three', 2, 1)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await one!.report('one', 3, 60_000)).toBe(1);
    expect(await two!.report('two', 2, 60_000)).toBe(3);
  });

  it('keeps the furthest of concurrent puts by several instances, for each of many fresh names', async () => {
    await expectTheFurthestOfEachName(homes.map(({ checkpoints }) => checkpoints));
  });
});
