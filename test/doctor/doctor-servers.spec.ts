import { EventStoreDBClient } from '@eventstore/db-client';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { sumOf } from '../../src/event-sourcing/embedded/files/copied-file.js';
import { ArchiveManifest } from '../../src/event-sourcing/servers/archive/archive-manifest.js';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { MasterKey } from '../../src/kernel/sealing.js';
import { sharedTokenOf } from '../../src/app/operator-token.js';
import { OPERATOR_TOKEN_ID, operatorTokens } from '../../src/contexts/operators/index.js';
import { hashCredential } from '../../src/kernel/credential.js';
import { streamOf } from '../../src/kernel/ids.js';
import { metadata, NOON } from '../kit/recorded.js';
import { startEventStoreServer, type EventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { startMongoServer, type MongoServer } from '../stand-ins/mongodb/mongo-server.js';
import { diagnosis } from './diagnosis.js';

const keyOf = (text: string) => createHash('sha256').update(text).digest('base64');

describe('checking the server stores', () => {
  let folder: string;
  let events: EventStoreServer;
  let mongo: MongoServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rps-doctor-'));
    [events, mongo] = await Promise.all([startEventStoreServer(), startMongoServer()]);
  });
  beforeEach(() => Promise.all([events.faults.clear(), mongo.faults.clear()]));
  afterAll(async () => {
    await Promise.all([events.stop(), mongo.stop()]);
    await rm(folder, { recursive: true });
  });

  const check = (env: Record<string, string> = {}) =>
    diagnosis({
      DATA_DIR: join(folder, 'data'),
      SVC_MASTER_KEY: keyOf('key'),
      EVENTSTORE_URL: events.url,
      MONGODB_URL: mongo.url,
      ...env,
    });

  /** State after a start with this key. */
  const usedBefore = async (key: string) => {
    const store = EventStoreDb.open({ url: events.url });
    const stream = streamOf(operatorTokens.category, OPERATOR_TOKEN_ID);
    const last = (await store.load(stream)).at(-1);
    const hash = hashCredential(sharedTokenOf(new MasterKey(Buffer.from(key, 'base64'))));
    const issued = { id: randomUUID(), type: 'OperatorTokenIssued', data: { hash }, metadata };
    await store.append({ stream, expected: last?.revision ?? 'no_stream', events: [issued] });
    await store.close();
  };

  it('finds nothing wrong with both', async () => {
    const { code, of, text } = await check();
    expect([code, text.match(/^(warn|fail).*/gm)]).toEqual([0, null]);
    expect(of('event store: version')).toEqual(['ok', '23.10.8']);
    expect(of('event store: clock')).toEqual(['ok', expect.stringMatching(/^within \d+ ms of ours$/)]);
    expect(of('read store: version')).toEqual(['ok', '7.0.14']);
    expect(of('read store: engine')).toEqual(['ok', 'MongoDB']);
    expect(of('read store: leases')).toEqual(['ok', 'each of 21 had one holder']);
    expect(of('read store: replica set')).toEqual(['ok', 'rs0, 1 member: nothing takes over']);
    expect(of('read store: read models')).toEqual(['ok', 'none yet: a worker builds them']);
  });

  it('tries the database of each partition', async () => {
    const { code, of, text } = await check({ PROJECTOR_PARTITIONS: '2' });
    expect(code).toBe(0);
    for (const database of ['rps-views-1of2', 'rps-views-2of2']) {
      expect(text).toMatch(new RegExp(`^ok +read store: write and read back in ${database} `, 'm'));
      expect(of(`read store: read models in ${database}`)).toEqual(['ok', 'none yet: a worker builds them']);
    }
  });

  it('deletes its test data, and writes none of our events', async () => {
    await check();
    const client = new MongoClient(mongo.url);
    for (const database of ['rps', 'rps-content']) {
      const left = await client.db(database).listCollections().toArray();
      expect(left.filter(({ name }) => name.startsWith('doctor_'))).toEqual([]);
    }
    await client.close();
    const esdb = EventStoreDBClient.connectionString(events.url);
    for await (const { event } of esdb.readAll({ maxCount: 1_000 })) expect(event?.type).toMatch(/^\$/);
    await esdb.dispose();
  });

  it('compares every file of the archive with what was written', async () => {
    const ofArchive = async () => (await check({ ARCHIVE_DIR: folder })).of('archive: every file');
    expect(await ofArchive()).toEqual(['ok', '0 as written']);
    const path = join(folder, '1.db');
    await writeFile(path, 'events');
    const store = EventStoreDb.open({ url: events.url });
    const counts = { streams: 1, events: 1, first: '1', last: '1', until: '1', before: NOON };
    await new ArchiveManifest(store).add({ name: '1.db', ...(await sumOf(path)), ...counts });
    await store.close();
    expect(await ofArchive()).toEqual(['ok', '1 as written']);
    await writeFile(path, 'evenus');
    expect(await ofArchive()).toEqual(['fail', '1.db is not what was written']);
    await rm(path);
    expect(await ofArchive()).toEqual(['fail', expect.stringContaining('ENOENT')]);
  });

  it('stops after a store that does not answer', async () => {
    const { code, of, text } = await check({
      EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:9/rps?serverSelectionTimeoutMS=300',
    });
    expect(code).toBe(1);
    expect(of('event store: leader answers')[0]).toBe('fail');
    expect(of('read store: primary answers')[0]).toBe('fail');
    expect(text.trimEnd().split('\n')).toHaveLength(8);
  });

  it('reports an unusable URL without its password', async () => {
    const { code, of, text } = await check({
      EVENTSTORE_URL: 'esdb://admin:s3cret@127.0.0.1:2113?nodePreference=follower',
    });
    expect([code, of('EVENTSTORE_URL')[0]]).toEqual([1, 'fail']);
    expect(text).not.toContain('s3cret');
  });

  it('reports a reserved MongoDB database', async () => {
    const { code, of } = await check({ MONGODB_URL: mongo.url.replace('/rps', '/admin') });
    expect([code, of('MONGODB_URL')]).toEqual([
      1,
      ['fail', expect.stringMatching(/^the database admin belongs to MongoDB itself/)],
    ]);
  });

  it('compares the master key with the one used before', async () => {
    expect((await check()).of('event store: master key')).toEqual(['ok', 'none was used before']);
    await usedBefore(keyOf('key'));
    expect((await check()).of('event store: master key')).toEqual(['ok', 'the one that was used before']);
    await usedBefore(keyOf('another'));
    const { code, of, text } = await check();
    expect([code, of('event store: master key')]).toEqual([
      1,
      ['fail', expect.stringMatching(/^SVC_MASTER_KEY is not the one that was used before/)],
    ]);
    expect(text).not.toContain(keyOf('key'));
  });

  it('reports a member that is not the primary', async () => {
    await mongo.faults.notPrimary();
    const { code, of } = await check();
    expect([code, of('read store: primary answers')]).toEqual([
      1,
      ['fail', expect.stringMatching(/no primary/)],
    ]);
  });

  it('reports a store that refuses writes', async () => {
    await mongo.faults.fail({
      times: 1,
      ...{ code: 13, codeName: 'Unauthorized' },
      ...{ message: 'not authorized on rps', commands: ['insert'] },
    });
    const { code, of } = await check();
    expect([code, of('read store: write and read back in rps')[0]]).toEqual([1, 'fail']);
  });
});
