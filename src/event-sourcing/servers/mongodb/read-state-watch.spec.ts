import { lease } from '../../../../test/contract/writer-fixture.js';
import { dropDatabases, freshUrlOf } from '../../../../test/kit/mongo-databases.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { soon } from '../../../../test/kit/polling.js';
import { startMongoServer, type MongoServer } from '../../../../test/stand-ins/mongodb/mongo-server.js';
import { SystemClock } from '../../../app/system/system-clock.js';
import type { Clock } from '../../../kernel/time.js';
import { positionFromNumber as at } from '../../write/event-codec.js';
import { MongoStores } from './mongo-home.js';

const LONG_MS = 60_000;

describe('waiting for the projector of another instance', () => {
  let server: MongoServer;
  let url: string;
  let projecting: MongoStores;
  let waiting: MongoStores | undefined;
  const clock = new ManualClock();

  beforeAll(async () => void (server = await startMongoServer()));
  beforeEach(async () => {
    url = freshUrlOf(server);
    projecting = await MongoStores.open({ url, clock: new ManualClock() });
    await projecting.writer.takeOver(lease(1));
  });
  afterEach(async () => {
    await server.faults.clear();
    await waiting?.close();
    await projecting.close();
    waiting = undefined;
  });
  afterAll(() => server.stop());

  const open = async (time: Clock) => (waiting = await MongoStores.open({ url, clock: time }));
  const project = (place: number) => projecting.writer.advance(at(place), lease(1));
  const calls = async (name: string) => (await server.counters()).calls[name] ?? 0;

  /** An instance whose first wait has opened its stream of changes, and whose clock stands still. */
  async function watching(): Promise<MongoStores> {
    const opened = await calls('getMore');
    const home = await open(clock);
    const waited = home.progress.waitFor(at(1), LONG_MS);
    clock.advance(1);
    await soon(async () => (await calls('getMore')) > opened);
    await project(1);
    expect(await waited).toBe(true);
    return home;
  }

  it('reads the state once, and hears of changes then', async () => {
    const home = await watching();
    const finds = await calls('find read_state');
    const waits = [2, 3].map((place) => home.progress.waitFor(at(place), LONG_MS));
    for (const place of [2, 3]) await project(place);

    expect(await Promise.all(waits)).toEqual([true, true]);
    expect((await calls('find read_state')) - finds).toBe(0);
  });

  it('hears of changes again after its connections broke', async () => {
    const home = await open(new SystemClock());
    let place = 0;
    const isToldWithoutReading = async () => {
      const finds = await calls('find read_state');
      const waited = home.progress.waitFor(at(++place), LONG_MS);
      await project(place);
      return (await waited) && (await calls('find read_state')) === finds;
    };
    await soon(isToldWithoutReading);
    await server.faults.dropAll();

    await soon(isToldWithoutReading);
  });

  it('hears of a rollback', async () => {
    const home = await watching();
    await projecting.writer.rollBack(lease(1), at(1));
    await soon(async () => home.progress.projected() === undefined);
  });

  it('hears of changes again after its database was dropped', async () => {
    const home = await watching();
    const opened = await calls('aggregate read_state');
    await dropDatabases(url);
    await soon(async () => {
      clock.advance(1_000);
      return (await calls('aggregate read_state')) > opened;
    });
    await projecting.writer.takeOver(lease(2));
    const waited = home.progress.waitFor(at(1), LONG_MS);
    await projecting.writer.advance(at(1), lease(2));
    await soon(async () => {
      clock.advance(10);
      return home.progress.projected() === at(1);
    });

    expect(await waited).toBe(true);
  });

  it('reads the state itself while a stream is mute', async () => {
    const home = await watching();
    const reads = await calls('find read_state');
    const waited = home.progress.waitFor(at(2), LONG_MS);
    clock.advance(100);
    await soon(async () => (await calls('find read_state')) > reads);
    await project(2);

    expect(await waited).toBe(true);
  });

  it('polls without a replica set', async () => {
    const message = 'The $changeStream stage is only supported on replica sets';
    const refusal = { code: 40573, codeName: 'Location40573', message };
    await server.faults.fail({ commands: ['aggregate'], collection: 'read_state', times: 100, ...refusal });
    const opened = await calls('aggregate read_state');
    const home = await open(new SystemClock());
    for (const place of [1, 2, 3]) {
      const waited = home.progress.waitFor(at(place), LONG_MS);
      const before = await calls('find read_state');
      await soon(async () => (await calls('find read_state')) > before + 3);
      await project(place);
      expect(await waited).toBe(true);
    }
    expect((await calls('aggregate read_state')) - opened).toBe(1);
  });

  it('opens no stream where the projector itself reports', async () => {
    const opened = await calls('aggregate read_state');
    await project(1);
    const waited = projecting.progress.waitFor(at(2), LONG_MS);
    await project(2);

    expect(await waited).toBe(true);
    expect(await calls('aggregate read_state')).toBe(opened);
  });
});
