import { MongoClient } from 'mongodb';
import { MongoStores } from '../../../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from '../../../../src/app/system/system-clock.js';
import { plus } from '../../../../src/kernel/time.js';
import type { KeptDocument, ViewBuild } from '../../../../src/event-sourcing/ports/view-writer.port.js';
import { positionFromNumber as at } from '../../../../src/event-sourcing/write/event-codec.js';
import { creationPositionOf } from '../../../../src/event-sourcing/projections/creation-order.js';
import { MemoryRateCounters } from '../../../../src/app/system/memory-rate-counters.js';
import { notes } from '../../../contract/sample-views.js';
import { LEASE } from '../../../kit/fed-mongo.js';
import { dropDatabases, freshUrlOf } from '../../../kit/mongo-databases.js';
import { metadata, NOON } from '../../../kit/recorded.js';
import { ManualClock } from '../../../kit/manual-clock.js';
import { within } from '../../../kit/polling.js';
import { startMongoServer, type MongoServer } from '../../../stand-ins/mongodb/mongo-server.js';
import { UnavailableError } from '../../../../src/kernel/errors.js';

const clock = new SystemClock();
const { view } = notes;
const note = (id: string, revision: number): KeptDocument => ({
  ...{ id, revision, creationPosition: creationPositionOf({ position: at(1), metadata }, 0) },
  document: { id, account: 'a', folder: 'in', urgent: false, status: 'open', revision },
});
const count = (home: MongoStores) =>
  home.rateCounters(new MemoryRateCounters(clock)).add('requests:key', 1, 60_000);

describe('a MongoDB that fails', () => {
  let server: MongoServer;
  let url: string;
  let home: MongoStores;
  let build: ViewBuild;
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);

  const write = (...documents: KeptDocument[]) => home.writer.write([{ build, documents }]);
  const shown = async (id: string) => (await home.views.get<{ revision: number }>(view, id))?.revision;

  beforeAll(async () => {
    process.on('unhandledRejection', onUnhandled);
    server = await startMongoServer();
  });
  beforeEach(async () => {
    url = freshUrlOf(server);
    home = await MongoStores.open({ url, clock });
    await home.writer.takeOver(LEASE);
    build = await home.writer.begin(view, LEASE);
    await home.writer.activate(build, LEASE);
    await write(note('a', 0));
  });
  afterEach(async () => {
    server.thaw();
    await server.faults.clear();
    await home.close();
    expect(unhandled).toEqual([]);
  });
  afterAll(async () => {
    process.off('unhandledRejection', onUnhandled);
    await server.stop();
  });

  /** Every operation; each must end in time with UnavailableError. */
  const everything = (): Record<string, () => Promise<unknown>> => ({
    get: () => home.views.get(view, 'a'),
    getMany: () => home.views.getMany(view, ['a']),
    find: () => home.views.find(view, { where: { account: 'a' }, order: 'newest', limit: 5 }),
    count: () => home.views.count(view, { account: 'a' }),
    load: () => home.writer.load(build, ['a']),
    write: () => write(note('b', 0)),
    advance: () => home.writer.advance(at(1), LEASE),
    progress: () => home.writer.progress(),
    recordHeartbeat: () => home.liveness.recordHeartbeat(['lease:1'], NOON),
    lastHeartbeats: () => home.liveness.lastHeartbeats(['lease:1']),
    checkpoint: () => home.checkpoints.put('fan-out', at(1)),
    replace: () => home.checkpoints.replace('index', undefined, 'text'),
    acquire: () => home.leases.acquire('views', 'me', 1_000),
    lock: () => home.locks.run('key', async () => undefined),
    line: () => Promise.all(Array.from({ length: 9 }, () => home.locks.run('busy', async () => undefined))),
    put: () => home.contents.put('job', Buffer.from('bytes')),
    content: () => home.contents.get('job'),
    missing: () => home.contents.get('nothing'),
    ids: () => home.contents.ids('', 5),
    check: () => home.check(),
  });

  async function outcomes(): Promise<Record<string, unknown>> {
    const calls = Object.entries(everything()).map(async ([name, call]) => {
      const began = performance.now();
      const end = await call().then(
        () => 'done',
        (error: unknown) => (error instanceof UnavailableError ? 'unavailable' : error),
      );
      return [name, performance.now() - began < 5_000 ? end : `${String(end)} too late`];
    });
    return Object.fromEntries(await Promise.all(calls)) as Record<string, unknown>;
  }
  const all = (outcome: string) =>
    Object.fromEntries(Object.keys(everything()).map((name) => [name, outcome]));

  it.each(['frozen', 'hanging'])(
    'is unavailable within 5 s while %s, and recovers afterwards',
    async (how) => {
      if (how === 'frozen') server.freeze();
      else await server.faults.hang();
      expect(await outcomes()).toEqual(all('unavailable'));
      server.thaw();
      await server.faults.clear();
      await within(10_000, () =>
        home.check().then(
          () => true,
          () => false,
        ),
      );

      expect(await outcomes()).toEqual(all('done'));
      expect(await shown('b')).toBe(0);
    },
  );

  it('can be closed while it is frozen', async () => {
    server.freeze();
    const began = performance.now();
    await home.close();

    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('refuses writes without a primary, and accepts them again afterwards', async () => {
    await server.faults.notPrimary();
    await expect(write(note('b', 0))).rejects.toThrow(UnavailableError);
    await expect(home.liveness.recordHeartbeat(['lease:1'], NOON)).rejects.toThrow(UnavailableError);
    await server.faults.clear();
    await within(10_000, () =>
      write(note('b', 1)).then(
        () => true,
        () => false,
      ),
    );

    expect(await shown('b')).toBe(1);
  });

  it('does not report a document as missing if an isolated primary cannot see it', async () => {
    await home.contents.put('job', Buffer.from('bytes'));
    await server.faults.cutOff();
    await expect(home.contents.get('job')).rejects.toThrow(UnavailableError);
    await server.faults.clear();

    expect(String(await home.contents.get('job'))).toBe('bytes');
    expect(await home.contents.get('nothing')).toBeUndefined();
  });

  it('reports a missing document without a replica set, which has no other primary', async () => {
    const error = { code: 123, codeName: 'NotAReplicaSet', message: 'not a replica set member' };
    await server.faults.fail({ commands: ['find'], readConcern: 'linearizable', times: 9, ...error });
    expect(await home.contents.get('nothing')).toBeUndefined();
  });

  it('reports a document without its chunks as missing', async () => {
    const client = new MongoClient(url);
    await home.contents.put('job', Buffer.from('bytes'));
    const db = client.db();
    await client.db(`${db.databaseName}-content`).collection('contents.chunks').drop();
    await client.close();
    expect(await home.contents.get('job')).toBeUndefined();
  });

  it.each([
    ['the primary steps down', () => server.faults.notPrimary(1)],
    ['a request is lost', () => server.faults.loseRequests(1)],
    ['all connections are lost', () => server.dropAll()],
    ['it is slow', () => server.faults.slow(100)],
  ])('completes all operations when %s', async (_, fault) => {
    await fault();
    expect(await write(note('b', 0), note('a', 1))).toBe(0);
    await fault();
    expect(await home.writer.advance(at(4), LEASE)).toBe(true);
    await fault();
    await home.liveness.recordHeartbeat(['lease:1'], NOON);
    await fault();
    await home.contents.put('job', Buffer.from('bytes'));
    await server.faults.clear();

    expect([await shown('a'), await shown('b')]).toEqual([1, 0]);
    expect(await home.liveness.lastHeartbeats(['lease:1'])).toEqual([NOON]);
    expect(String(await home.contents.get('job'))).toBe('bytes');
  });

  it('applies an operation once when its reply is lost', async () => {
    await server.faults.loseReplies(1);
    await write(note('b', 0), note('a', 1));
    await server.faults.loseReplies(1);
    expect(await home.writer.advance(at(4), LEASE)).toBe(true);
    await server.faults.loseReplies(1);
    const lease = await home.leases.acquire('views', 'me', 5_000);
    await server.faults.loseReplies(1);
    expect(await count(home)).toMatchObject({ consumed: 1 });

    expect([await shown('a'), await shown('b')]).toEqual([1, 0]);
    expect(await home.leases.acquire('views', 'me', 5_000)).toEqual(lease);
    expect(await count(home)).toMatchObject({ consumed: 2 });
  });

  it('repeats an upsert that lost the race to insert', async () => {
    await server.faults.loseUpsertRaces(2);
    expect(await write(note('b', 3), note('c', 3), note('a', 0))).toBe(1);
    expect([await shown('a'), await shown('b'), await shown('c')]).toEqual([0, 3, 3]);
    await server.faults.loseUpsertRaces(1);
    await home.liveness.recordHeartbeat(['lease:2'], NOON);
    await server.faults.loseUpsertRaces(1);
    await home.checkpoints.put('other', at(2));
    await server.faults.loseUpsertRaces(1);
    expect(await home.leases.acquire('timers', 'me', 5_000)).toBeDefined();
    await server.faults.loseUpsertRaces(1);
    expect(await count(home)).toMatchObject({ consumed: 1 });

    expect(await home.liveness.lastHeartbeats(['lease:2'])).toEqual([NOON]);
    expect(await home.checkpoints.get('other')).toBe(at(2));
  });

  it('repeats an upsert after several lost races, and reports unavailable after many', async () => {
    await server.faults.loseUpsertRaces(3);
    await home.liveness.recordHeartbeat(['lease:3'], NOON);
    await server.faults.loseUpsertRaces(3);
    expect(await home.locks.run('key', async () => 'done')).toBe('done');
    expect(await home.liveness.lastHeartbeats(['lease:3'])).toEqual([NOON]);

    await server.faults.loseUpsertRaces(100);
    await expect(home.liveness.recordHeartbeat(['lease:4'], NOON)).rejects.toThrow(UnavailableError);
    await expect(home.locks.run('other', async () => 'done')).rejects.toThrow(UnavailableError);
    await server.faults.clear();
  });

  it('reports a duplicate in another unique index as a bug', async () => {
    const client = new MongoClient(url);
    await client.db().collection(build.location).createIndex({ account: 1 }, { unique: true });
    await client.close();

    const failed = write(note('b', 0));
    await expect(failed).rejects.toThrow('E11000');
    await expect(failed).rejects.not.toThrow(UnavailableError);
  });

  it.each([
    ['no majority took it in time', 64, 'WriteConcernFailed'],
    ['it ran out of time', 50, 'MaxTimeMSExpired'],
    ['it shuts down', 91, 'ShutdownInProgress'],
    ['it lets nobody in', 13, 'Unauthorized'],
  ])('is unavailable when %s', async (_, code, codeName) => {
    const failure = { times: 50, code, codeName, message: codeName, commands: ['update', 'find'] };
    await server.faults.fail(failure);

    await expect(write(note('b', 0))).rejects.toThrow(UnavailableError);
    await expect(home.views.get(view, 'a')).rejects.toThrow(UnavailableError);
  });

  it('answers no query once its database was dropped', async () => {
    expect(await shown('a')).toBe(0);
    await dropDatabases(url);

    await expect(home.views.get(view, 'a')).rejects.toThrow(UnavailableError);
    await expect(home.views.count(view, {})).rejects.toThrow(UnavailableError);
    await expect(
      home.views.find(view, { where: { account: 'a' }, order: 'newest', limit: 5 }),
    ).rejects.toThrow(UnavailableError);
    expect(await home.writer.advance(at(9), LEASE)).toBe(false);
  });

  it('counts requests in this instance alone while MongoDB is frozen', async () => {
    const counters = home.rateCounters(new MemoryRateCounters(clock));
    server.freeze();
    const began = performance.now();
    for (let n = 1; n < 40; n++) await counters.add('requests:key', 1, 60_000);
    expect(await counters.add('requests:key', 1, 60_000)).toMatchObject({ consumed: 40 });

    // Half a second for the first; asked again for each, the others would take twenty.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('reports no heartbeat as overdue that was lost with the database', async () => {
    const keys = ['lease:1', 'computer:2', 'webhook:3'];
    await home.liveness.recordHeartbeat(keys, NOON);
    await dropDatabases(url);
    expect(await home.liveness.lastHeartbeats(keys)).toEqual([undefined, NOON, undefined]);
    const began = clock.now();
    await home.writer.takeOver(LEASE);
    await home.writer.advance(at(7), LEASE);
    await home.writer.activate(await home.writer.begin(view, LEASE), LEASE);
    const late = plus(clock.now(), 60_000);
    await home.liveness.recordHeartbeat(['lease:4'], late);

    const lost = await home.liveness.lostAt();
    expect(lost! >= began && lost! <= clock.now()).toBe(true);
    const [unseen, known, other, alive] = await home.liveness.lastHeartbeats([...keys, 'lease:4']);
    expect([unseen, known, other, alive]).toEqual([undefined, NOON, undefined, late]);
  });

  it('dates the loss by the heartbeat clock, not the system clock', async () => {
    const ofOld = '2000-01-01T00:00:00.000Z';
    const another = await MongoStores.open({ url, clock, heartbeatClock: new ManualClock(ofOld) });
    await dropDatabases(url);
    await another.writer.takeOver(LEASE);
    await another.writer.advance(at(7), LEASE);
    const lost = await another.liveness.lostAt();
    await another.close();

    expect(lost).toBe(ofOld);
  });

  it('reports no data loss for a new database', async () => {
    await home.writer.advance(at(1), LEASE);

    expect(await home.liveness.lostAt()).toBeUndefined();
  });
});
