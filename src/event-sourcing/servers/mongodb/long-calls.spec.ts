import { MongoClient } from 'mongodb';
import { startMongoServer, type MongoServer } from '../../../../test/stand-ins/mongodb/mongo-server.js';
import type { ViewDefinition } from '../../../kernel/projection.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { MongoContentStore } from './mongo-content-store.js';
import type { ReadState } from './read-state-cache.js';
import { ViewBuilds } from './view-builds.js';

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
    const builds = new ViewBuilds(client.db(), client.db().collection<ReadState>('read_state'));
    const build = await builds.begin(view, 1);
    await server.faults.slow(400);

    await expect(builds.discard(build)).resolves.toBeUndefined();
    await expect(new MongoContentStore(client.db(), new ManualClock()).prepare()).resolves.toBeUndefined();
  });

  it('close the connection if they only read', async () => {
    await server.faults.slow(400);

    await expect(client.db().collection('any').findOne({})).rejects.toThrow('timed out');
  });
});
