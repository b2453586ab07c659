import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { dropDatabases, mongoServers, type MongoDatabases } from '../kit/mongo-databases.js';
import { viewBuildContract } from './view-build.contract.js';
import { viewWriterContract } from './view-writer.contract.js';
import type { Instance, WriterFixture } from './writer-fixture.js';
import { FakeReadProgress, FakeReadStore, FakeViewStore } from '../kit/fakes/read-store.js';
import { FakeViewWriter } from '../kit/fakes/view-writer.js';

function allContracts(fixture: WriterFixture): void {
  viewWriterContract(fixture);
  viewBuildContract(fixture);
}

describe('writing read models in memory', () => {
  let store: FakeReadStore;
  let instances: [Instance, Instance];
  const instance = (): Instance => ({
    writer: new FakeViewWriter(store),
    views: new FakeViewStore(store),
    progress: new FakeReadProgress(store, new SystemClock()),
  });
  beforeEach(() => {
    store = new FakeReadStore();
    instances = [instance(), instance()];
  });

  allContracts({
    get instances() {
      return instances;
    },
    lose: async () => store.lose(),
  });
});

describe.each(mongoServers)('writing read models over $name', ({ start }) => {
  let databases: MongoDatabases;
  let url: string;
  let homes: [MongoStores, MongoStores];
  beforeAll(async () => void (databases = await start()));
  beforeEach(async () => {
    url = databases.fresh();
    const clock = new SystemClock();
    homes = [await MongoStores.open({ url, clock }), await MongoStores.open({ url, clock })];
  });
  afterEach(async () => {
    for (const home of homes) await home.close();
    await databases.drop();
  });
  afterAll(() => databases.stop());

  allContracts({
    get instances() {
      return homes;
    },
    lose: () => dropDatabases(url),
  });
});
