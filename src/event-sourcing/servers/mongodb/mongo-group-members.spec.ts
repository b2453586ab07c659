import { MongoClient } from 'mongodb';
import { mongoServers, type MongoDatabases } from '../../../../test/kit/mongo-databases.js';
import { MongoGroupMembers } from './lease-documents.js';

const LONG_MS = 60_000;

describe.each(mongoServers)('the instances that project: $name', ({ start }) => {
  let databases: MongoDatabases;
  let client: MongoClient;
  beforeAll(async () => (databases = await start()));
  beforeEach(async () => (client = await new MongoClient(databases.fresh()).connect()));
  afterEach(async () => {
    await client.close();
    await databases.drop();
  });
  afterAll(() => databases.stop());

  const membersOf = (partitions: number) => new MongoGroupMembers(client.db(), partitions);

  it('hear the smallest number of leases of another', async () => {
    const members = membersOf(4);
    expect(await members.report('a', 4, LONG_MS)).toBe(Infinity);
    expect(await members.report('b', 1, LONG_MS)).toBe(4);
    expect(await members.report('c', 3, LONG_MS)).toBe(1);
    expect(await members.report('b', 2, LONG_MS)).toBe(3);
  });

  it('are forgotten when they report no more', async () => {
    const members = membersOf(4);
    await members.report('gone', 0, 0);
    expect(await members.report('a', 4, LONG_MS)).toBe(Infinity);
  });

  it('share leases only with those of as many partitions', async () => {
    await membersOf(2).report('of two', 0, LONG_MS);
    expect(await membersOf(4).report('of four', 4, LONG_MS)).toBe(Infinity);
    expect(await membersOf(2).report('another of two', 2, LONG_MS)).toBe(0);
  });
});
