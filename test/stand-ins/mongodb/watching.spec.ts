import { MongoClient, type ChangeStream } from 'mongodb';
import { startMongoServer, type MongoServer } from './mongo-server.js';

describe('a stream of changes', () => {
  let server: MongoServer;
  let client: MongoClient;
  let watcher: MongoClient;
  let stream: ChangeStream;
  beforeAll(async () => {
    server = await startMongoServer();
    client = new MongoClient(server.url, { maxIdleTimeMS: 1 });
    watcher = new MongoClient(server.url);
  });
  afterAll(async () => {
    await Promise.all([client.close(), watcher.close()]);
    await server.stop();
  });
  const of = (one: MongoClient) => one.db().collection<{ _id: string; n: number }>('things');
  const next = async () => (await stream.next()) as { operationType: string; fullDocument?: object };

  it('brings each change with the document as it is, across broken connections, up to a drop', async () => {
    stream = of(watcher).watch([], { fullDocument: 'updateLookup', maxAwaitTimeMS: 100 });
    expect(await stream.tryNext()).toBeNull();
    await of(client).insertOne({ _id: 'a', n: 1 });
    await of(client).updateOne({ _id: 'a' }, { $set: { n: 2 } });
    await of(client).updateOne({ _id: 'a' }, { $set: { n: 2 } });
    const now = { fullDocument: { _id: 'a', n: 2 }, documentKey: { _id: 'a' } };
    expect(await next()).toMatchObject({ operationType: 'insert', ...now });
    await server.faults.dropAll();
    expect(await next()).toMatchObject({ operationType: 'update', ...now });
    await of(client).deleteOne({ _id: 'a' });
    expect(await next()).toMatchObject({ operationType: 'delete' });
    await of(client).drop();
    expect(await next()).toMatchObject({ operationType: 'drop' });

    await expect(stream.next()).rejects.toThrow();
    expect((await server.counters()).openCursors).toBe(0);
  });

  it('has no other options', async () => {
    await expect(of(watcher).watch([]).tryNext()).rejects.toMatchObject({ code: 238 });
  });
});
