import { MongoClient } from 'mongodb';
import { startMongoServer, type MongoServer } from '../../../../test/stand-ins/mongodb/mongo-server.js';
import type { ViewDefinition } from '../../../kernel/projection.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { MongoContentStore } from './mongo-content-store.js';
import { MongoViewWriter, type WriterDependencies } from './mongo-view-writer.js';
import type { ReadState } from './read-state-cache.js';

const view: ViewDefinition = { name: 'parcels', version: 1, indexes: [{ fields: ['account'] }] };

describe('calls that take longer than the socket timeout of the client', () => {
  let server: MongoServer;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url, { socketTimeoutMS: 150, retryWrites: false }).connect();
  });
  afterEach(() => server.faults.clear());
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it('build indexes and drop collections', async () => {
    const db = client.db();
    const states = db.collection<ReadState>('read_state');
    const writer = new MongoViewWriter({ db, states } as WriterDependencies);
    const build = await writer.begin(view, { group: 'views', holder: 'one', epoch: 1 });
    await server.faults.slow(400);

    await expect(writer.discard(build)).resolves.toBeUndefined();
    await expect(new MongoContentStore(db, new ManualClock()).prepare()).resolves.toBeUndefined();
  });

  it('close the connection if they only read', async () => {
    await server.faults.slow(400);

    await expect(client.db().collection('any').findOne({})).rejects.toThrow('timed out');
  });
});
