import { randomBytes } from 'node:crypto';
import {
  Binary,
  Double,
  GridFSBucket,
  Int32,
  Long,
  MongoBulkWriteError,
  MongoClient,
  MongoServerError,
  ObjectId,
  type Collection,
  type Db,
  type Document,
} from 'mongodb';
import { startMongoServer, type MongoServer } from './mongo-server.js';

interface Thing extends Document {
  _id: string;
}

let server: MongoServer;
let client: MongoClient;
let db: Db;
let things: Collection<Thing>;

beforeAll(async () => {
  server = await startMongoServer();
  client = await new MongoClient(server.url).connect();
  db = client.db();
});

beforeEach(async () => {
  await db.dropDatabase();
  things = db.collection('things');
});

afterAll(async () => {
  await client.close();
  await server.stop();
});

const failure = async (doing: Promise<unknown>): Promise<MongoServerError> => {
  const outcome: unknown = await doing.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof MongoServerError) return outcome;
  throw new Error(`no server error but ${String(outcome)}`);
};

const ids = (found: readonly { _id: unknown }[]) => found.map(({ _id }) => _id);

const planOf = async (collection: Collection<Thing>, filter: Document, sort: Document = {}) => {
  const { queryPlanner } = (await collection.find(filter).sort(sort).explain()) as Document;
  return (queryPlanner as Document)['winningPlan'] as Document;
};

describe('connecting', () => {
  it('finds a primary with sessions, with and without a direct connection', async () => {
    const discovering = await new MongoClient(`mongodb://127.0.0.1:${server.port}/?replicaSet=rs0`).connect();
    expect(await discovering.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await discovering.close();
    const hello = await db.admin().command({ hello: 1 });
    expect(hello).toMatchObject({
      isWritablePrimary: true,
      setName: 'rs0',
      logicalSessionTimeoutMinutes: 30,
    });
    expect(hello).toMatchObject({ maxMessageSizeBytes: 48_000_000, maxBsonObjectSize: 16_777_216 });
  });

  it('reports its version and refuses unknown commands', async () => {
    expect((await db.admin().buildInfo())['version']).toBe('7.0.14');
    expect(await failure(db.command({ fly: 1 }))).toMatchObject({ code: 59, codeName: 'CommandNotFound' });
  });
});

describe('writing', () => {
  it('inserts, and continues after a duplicate if unordered', async () => {
    const [a, b, c] = [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }];
    await things.insertOne(a);
    const unordered = things.insertMany([b, a, c], { ordered: false });
    await expect(unordered).rejects.toMatchObject({ code: 11000, insertedCount: 2 });
    await things.deleteMany({});
    await things.insertOne(a);
    await expect(things.insertMany([b, a, c])).rejects.toMatchObject({ insertedCount: 1 });
  });

  it('gates replacements by revision in one unordered batch', async () => {
    const put = (_id: string, revision: number) => ({
      replaceOne: { filter: { _id, revision: { $lt: revision } }, replacement: { revision }, upsert: true },
    });
    await things.bulkWrite([put('a', 5), put('b', 2)]);
    const error = await things.bulkWrite([put('a', 4), put('b', 3), put('c', 1)], { ordered: false }).then(
      () => undefined,
      (raised: unknown) => raised as MongoBulkWriteError,
    );
    expect(error?.result).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 1 });
    expect(error?.writeErrors).toMatchObject([
      {
        index: 0,
        code: 11000,
        errmsg:
          'Plan executor error during update :: caused by :: ' +
          'E11000 duplicate key error collection: rps.things index: _id_ dup key: { _id: "a" }',
      },
    ]);
    const all = await things.find().sort({ _id: 1 }).toArray();
    expect(all).toEqual([5, 3, 1].map((revision, n) => ({ _id: 'abc'[n]!, revision })));
  });

  it('names keys and values where one write hits a duplicate', async () => {
    await things.insertOne({ _id: 'a', epoch: 7 });
    const stale = things.findOneAndUpdate({ _id: 'a', epoch: 3 }, { $set: { x: 1 } }, { upsert: true });
    expect(await failure(stale)).toMatchObject({
      ...{ code: 11000, codeName: 'DuplicateKey' },
      ...{ keyPattern: { _id: 1 }, keyValue: { _id: 'a' } },
    });
  });

  it('applies operators', async () => {
    const once: Document = { $setOnInsert: { born: 1 }, $set: { 'a.b': 1 }, $max: { top: 5 } };
    await things.updateOne({ _id: 'a', kind: 'k' }, once, { upsert: true });
    await things.updateOne({ _id: 'a' }, { ...once, $setOnInsert: { born: 2 }, $max: { top: 4 } });
    expect(await things.findOne()).toEqual({ _id: 'a', kind: 'k', born: 1, a: { b: 1 }, top: 5 });
    const again = await things.updateMany({}, { $set: { top: 5 } });
    expect(again).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    await things.updateOne({}, { $unset: { 'a.b': '', kind: '', missing: '', 'top.c': '' } });
    expect(await things.findOne()).toEqual({ _id: 'a', born: 1, a: {}, top: 5 });
    expect(await failure(things.updateOne({}, { $set: { a: 1 }, $max: { 'a.b': 1 } }))).toMatchObject({
      code: 40,
    });
    expect(await failure(things.updateOne({}, { $set: { _id: 'b' } }))).toMatchObject({ code: 66 });
  });

  it('refuses unsupported requests instead of answering differently', async () => {
    for (const change of [{ $inc: { n: 1 } }, { $nonsense: { n: 1 } }, [{ $match: {} }]])
      expect(await failure(things.updateOne({}, change))).toMatchObject({ code: 238 });
    for (const filter of [{ $expr: { $eq: [1, 1] } }, { n: { $mod: [2, 0] } }, { $or: [{ n: 1 }] }])
      expect(await failure(things.find(filter as Document).toArray())).toMatchObject({ code: 238 });
    expect(await failure(things.findOneAndDelete({}))).toMatchObject({ code: 238 });
  });

  it('compares expressions across types, with missing values below null', async () => {
    await things.insertOne({ _id: 'a', n: 1, none: null });
    const compared = {
      missingIsNull: { $eq: ['$missing', null] },
      nullIsNull: { $eq: ['$none', null] },
      missingBelowNumber: { $lte: ['$missing', 1] },
      numberBelowText: { $lt: ['$n', 'a'] },
      numberBelowDate: { $lte: ['$n', '$$NOW'] },
    };
    await things.updateOne({}, [{ $set: compared }]);
    expect(await things.findOne()).toMatchObject({
      ...{ missingIsNull: false, nullIsNull: true },
      ...{ missingBelowNumber: true, numberBelowText: true, numberBelowDate: true },
    });
  });

  it("finds and modifies with the server's clock", async () => {
    const take = (holder: string) =>
      things.findOneAndUpdate(
        { _id: 'lease' },
        [
          {
            $set: {
              epoch: {
                $cond: [{ $eq: ['$holder', holder] }, '$epoch', { $add: [{ $ifNull: ['$epoch', 0] }, 1] }],
              },
              holder,
              expires_at: { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: 10_000 } },
            },
          },
        ],
        { upsert: true, returnDocument: 'after' },
      );
    const earliest = Date.now() + 10_000;
    expect(await take('x')).toMatchObject({ epoch: 1, holder: 'x' });
    expect(await take('x')).toMatchObject({ epoch: 1 });
    const taken = await take('y');
    expect(taken).toMatchObject({ epoch: 2, holder: 'y' });
    expect((taken!['expires_at'] as Date).getTime()).toBeGreaterThanOrEqual(earliest);
    await things.deleteOne({ holder: 'y' });
    expect(await things.findOneAndUpdate({ _id: 'lease' }, { $set: { x: 1 } })).toBeNull();
  });

  it('deletes one or all', async () => {
    await things.insertMany([1, 2, 3].map((n) => ({ _id: `${n}`, k: 1 })));
    expect((await things.deleteOne({ k: 1 })).deletedCount).toBe(1);
    expect((await things.deleteMany({ k: 1 })).deletedCount).toBe(2);
  });

  it('refuses documents beyond 16 MiB', async () => {
    const half = 'x'.repeat(9 * 1024 * 1024);
    await things.insertOne({ _id: 'a', half });
    const doubled = things.updateOne({ _id: 'a' }, { $set: { other: half } });
    expect(await failure(doubled)).toMatchObject({ code: 17419 });
  });
});

describe('keeping types', () => {
  it('returns stored values unchanged, even after updates of other fields', async () => {
    const raw = db.collection<Thing>('things', { promoteValues: false });
    const kept = {
      ...{ int: new Int32(1), double: new Double(1), long: Long.fromString('9007199254740993') },
      ...{ bytes: new Binary(randomBytes(16)), at: new Date(5), oid: new ObjectId(), none: null },
    };
    await raw.insertOne({ _id: 'a', ...kept });
    await raw.updateOne({ _id: 'a' }, { $set: { other: 'x' }, $max: { int: new Int32(2) } });
    expect(await raw.findOne({ long: Long.fromString('9007199254740993') })).toEqual({
      ...{ _id: 'a', ...kept },
      ...{ int: new Int32(2), other: 'x' },
    });
    expect(await raw.findOne({ long: { $gt: Long.fromString('9007199254740993') } })).toBeNull();
    expect(await things.countDocuments({ bytes: kept.bytes, oid: kept.oid, double: 1 })).toBe(1);
  });

  it('carries content of 10 and 16 MiB through GridFS', async () => {
    const bucket = new GridFSBucket(db, { bucketName: 'content' });
    for (const size of [10, 16]) {
      const bytes = randomBytes(size * 1024 * 1024);
      const upload = bucket.openUploadStreamWithId(`job-${size}` as unknown as ObjectId, 'document');
      await new Promise((resolve, reject) => upload.once('finish', resolve).once('error', reject).end(bytes));
      const parts: Buffer[] = [];
      for await (const part of bucket.openDownloadStream(upload.id)) parts.push(part as Buffer);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      await bucket.delete(upload.id);
    }
    expect(await db.collection('content.chunks').countDocuments()).toBe(0);
  });
});

describe('reading', () => {
  beforeEach(async () => {
    const birth = (n: number) => String(n).padStart(20, '0');
    await things.insertMany(
      Array.from({ length: 300 }, (_, n) => {
        const status = ['queued', 'done', 'failed'][n % 3];
        return { _id: `t-${n}`, account: n % 2 ? 'odd' : 'even', status, birth: birth(n), tags: [n, -n] };
      }),
    );
    await things.createIndex({ account: 1, status: 1, birth: -1 });
  });

  const asked = [
    { account: 'odd', status: 'queued' },
    { account: 'odd', status: { $in: ['queued', 'failed'] } },
    { account: 'odd', birth: { $gt: '00000000000000000100' } },
    { account: 'odd', status: { $gte: 'done', $gt: 'done', $lt: 'queued', $lte: 'queued' } },
    { account: 'even', status: 'done', birth: { $gt: '00000000000000000100', $lte: '00000000000000000200' } },
    { _id: { $in: ['t-1', 't-5', 't-2'] }, account: 'odd' },
    { tags: { $gte: 250, $lt: 260 } },
    { missing: null, status: { $nin: ['done'] } },
  ];

  it('gives the same answers with an index as with a scan', async () => {
    const plain = db.collection<Thing>('plain');
    await plain.insertMany(await things.find().toArray());
    for (const filter of asked)
      for (const birth of [1, -1] as const) {
        const page = (from: Collection<Thing>) =>
          from.find(filter).sort({ birth }).skip(2).limit(25).toArray();
        expect(ids(await page(things))).toEqual(ids(await page(plain)));
        expect(await things.countDocuments(filter)).toBe((await plain.find(filter).toArray()).length);
      }
  });

  it('explains which index it uses', async () => {
    const scan = { stage: 'IXSCAN', indexName: 'account_1_status_1_birth_-1' };
    const [first, merged] = asked;
    expect(await planOf(things, first!, { birth: -1 })).toMatchObject({
      ...{ stage: 'FETCH', inputStage: { ...scan, direction: 'forward' } },
    });
    expect(await planOf(things, first!, { birth: 1 })).toMatchObject({
      inputStage: { direction: 'backward' },
    });
    expect(await planOf(things, merged!, { birth: -1 })).toMatchObject({
      ...{ stage: 'FETCH', inputStage: { stage: 'SORT_MERGE', inputStage: scan } },
    });
    expect(await planOf(things, { account: 'odd' }, { birth: -1 })).toMatchObject({
      ...{ stage: 'SORT', inputStage: { stage: 'FETCH', inputStage: scan } },
    });
    expect(await planOf(things, { status: 'done' })).toMatchObject({ stage: 'COLLSCAN' });
    expect(await planOf(things, { _id: 't-1' })).toMatchObject({ stage: 'IDHACK' });
  });

  it('returns batches until the cursor is exhausted or killed', async () => {
    const cursor = things.find().batchSize(100);
    await cursor.next();
    expect((await server.counters()).openCursors).toBe(1);
    expect(await cursor.toArray()).toHaveLength(299);
    const left = things.find().batchSize(10);
    await left.next();
    await left.close();
    expect((await server.counters()).openCursors).toBe(0);
  });

  it('projects', async () => {
    const one = { limit: 1, sort: { birth: 1 } } as const;
    expect(await things.findOne({}, { ...one, projection: { status: 1 } })).toEqual({
      _id: 't-0',
      status: 'queued',
    });
    expect(await things.findOne({}, { ...one, projection: { _id: 0, tags: 0, birth: 0 } })).toEqual({
      ...{ account: 'even', status: 'queued' },
    });
  });

  it('counts, and refuses other aggregations', async () => {
    expect(await things.countDocuments({ account: 'odd' })).toBe(150);
    expect(await failure(things.aggregate([{ $sample: { size: 3 } }]).toArray())).toMatchObject({
      code: 40324,
    });
  });

  it('finds NaN only by NaN', async () => {
    await things.insertOne({ _id: 'nan', birth: NaN });
    expect(ids(await things.find({ birth: NaN }).toArray())).toEqual(['nan']);
    expect(await things.countDocuments({ birth: { $lt: -1 } })).toBe(0);
  });

  it('returns ids in order', async () => {
    const after = things.find({ _id: { $gt: 't-98' } }, { sort: { _id: 1 }, limit: 2 });
    expect(ids(await after.toArray())).toEqual(['t-99']);
  });
});

describe('indexing', () => {
  it('refuses duplicates of unique, compound and partial indexes', async () => {
    await things.createIndex({ a: 1, b: 1 }, { unique: true });
    await things.createIndex({ c: 1 }, { unique: true, partialFilterExpression: { open: { $in: [true] } } });
    await things.insertMany([
      { _id: '1', a: 1, b: 1, c: 1, open: true },
      { _id: '2', a: 1, b: 2, c: 1, open: false },
    ]);
    expect(await failure(things.insertOne({ _id: '3', a: 1, b: 1 }))).toMatchObject({
      ...{ code: 11000, keyPattern: { a: 1, b: 1 }, keyValue: { a: 1, b: 1 } },
    });
    const opened = things.updateOne({ _id: '2' }, { $set: { open: true } });
    expect(await failure(opened)).toMatchObject({ code: 11000, keyPattern: { c: 1 } });
    expect(await things.findOne({ _id: '2' })).toMatchObject({ open: false });
    expect(await failure(things.createIndex({ c: 1, z: 1 }, { unique: true }))).toMatchObject({
      code: 11000,
    });
  });

  it('uses a partial index if it covers the query', async () => {
    const open = { partialFilterExpression: { status: { $in: ['queued', 'leased'] } } };
    await things.createIndex({ status: 1, birth: 1 }, open);
    await things.insertMany(
      ['queued', 'leased', 'done'].map((status, n) => ({ _id: status, status, birth: `${n}` })),
    );
    expect(await planOf(things, { status: 'queued' })).toMatchObject({ stage: 'FETCH' });
    expect(await planOf(things, { status: 'done' })).toMatchObject({ stage: 'COLLSCAN' });
    expect(await things.countDocuments({ status: { $in: ['leased', 'done'] } })).toBe(2);
    const refused = things.createIndex({ x: 1 }, { partialFilterExpression: { x: { $ne: 1 } } });
    expect(await failure(refused)).toMatchObject({ code: 67 });
  });

  it('lists, repeats and drops indexes and collections', async () => {
    for (let n = 0; n < 2; n++) await things.createIndex({ a: 1 }, { name: 'by_a' });
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_', 'by_a']);
    expect(await failure(things.createIndex({ b: 1 }, { name: 'by_a' }))).toMatchObject({ code: 85 });
    expect(await failure(things.createIndex({ a: 1 }))).toMatchObject({ code: 85 });
    await things.createIndex({ a: 1 }, { name: 'partly', partialFilterExpression: { b: 1 } });
    await things.dropIndex('partly');
    await things.dropIndex('by_a');
    expect(await things.indexes()).toHaveLength(1);
    await things.insertOne({ _id: 'a' });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['things']);
    expect((await db.admin().listDatabases()).databases).toContainEqual({ name: db.databaseName });
    expect(await things.drop()).toBe(true);
  });
});
