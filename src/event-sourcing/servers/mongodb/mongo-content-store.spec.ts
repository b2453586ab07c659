import { MongoClient } from 'mongodb';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { soon } from '../../../../test/kit/polling.js';
import { startMongoServer, type MongoServer } from '../../../../test/stand-ins/mongodb/mongo-server.js';
import { MongoContentStore } from './mongo-content-store.js';

const FILES = 'contents.files';
const CHUNKS = 'contents.chunks';

describe('a document of one chunk', () => {
  let server: MongoServer;
  let client: MongoClient;
  let contents: MongoContentStore;
  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  beforeEach(async () => {
    await client.db().dropDatabase();
    contents = new MongoContentStore(client.db(), new ManualClock());
    await contents.prepare();
  });
  afterEach(() => server.faults.clear());
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it('is stored by two inserts at once', async () => {
    await contents.put('job', Buffer.from('opens the connections'));
    const inserts = async () => {
      const { calls } = await server.counters();
      return [calls[`insert ${CHUNKS}`], calls[`insert ${FILES}`]];
    };
    const before = await inserts();
    await server.faults.hang();
    const putting = contents.put('job', Buffer.from('bytes'));
    await soon(async () => (await inserts()).every((n, of) => n === before[of]! + 1));
    await server.faults.clear();
    await putting;

    expect(String(await contents.get('job'))).toBe('bytes');
  });

  it('is read while another put of it has stored its file alone', async () => {
    await contents.put('job', Buffer.from('bytes'));
    const [file] = await client.db().collection(FILES).find().toArray();
    const { _id, ...fields } = file!;
    await client
      .db()
      .collection(FILES)
      .insertOne({ ...fields, length: 7, uploadDate: new Date('2100-01-01') });

    expect(String(await contents.get('job'))).toBe('bytes');
    expect(String(await contents.get('job', { first: 1, end: 3 }))).toBe('yt');
    await contents.delete('job');
    expect(await contents.has('job')).toBe(false);
  });
});
