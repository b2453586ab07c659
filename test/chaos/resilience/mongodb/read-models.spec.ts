import { MongoStores } from '../../../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from '../../../../src/app/system/system-clock.js';
import type { RecordedEvent } from '../../../../src/kernel/recorded-event.js';
import type { ViewBuild } from '../../../../src/event-sourcing/ports/view-writer.port.js';
import {
  BatchProjector,
  type ProjectedBuild,
} from '../../../../src/event-sourcing/projections/batch-projector.js';
import { ViewDigest } from '../../../../src/event-sourcing/projections/view-comparison.js';
import { begin, burnt, closed, goOn, moved, written } from '../../../contract/sample-appends.js';
import { projections } from '../../../contract/sample-views.js';
import { buildsOf, LEASE, newLog } from '../../../kit/fed-mongo.js';
import { freshUrlOf } from '../../../kit/mongo-databases.js';
import { startMongoServer, type MongoServer } from '../../../stand-ins/mongodb/mongo-server.js';

const NOTES = 300;
const BATCH = 97;

/** Writes, moves, closes, burns and rewrites notes, each step concurrently. */
async function story(): Promise<readonly RecordedEvent[]> {
  const log = newLog();
  for (let n = 0; n < NOTES; n++) await log.append(begin(`note-${n}`, written(`text ${n}`)));
  for (let n = 0; n < NOTES; n++) await log.append(goOn(`note-${n}`, 0, moved('out'), closed()));
  for (let n = 0; n < NOTES; n += 2) await log.append(goOn(`note-${n}`, 2, burnt()));
  for (let n = 0; n < NOTES; n += 4) await log.append(goOn(`note-${n}`, 3, written('again'), moved(null)));
  return log.everything();
}

describe('read models in MongoDB', () => {
  let server: MongoServer;
  let events: readonly RecordedEvent[];
  let home: MongoStores;
  let fillings: readonly ProjectedBuild[];

  beforeAll(async () => {
    server = await startMongoServer();
    events = await story();
  });
  beforeEach(async () => {
    home = await MongoStores.open({ url: freshUrlOf(server), clock: new SystemClock() });
    fillings = await buildsOf(home, projections);
  });
  afterEach(() => home.close());
  afterAll(() => server.stop());

  const folder = () => new BatchProjector(home.writer, fillings);
  const fill = async (into: BatchProjector, from = 0, to = events.length) => {
    for (let first = from; first < to; first += BATCH)
      await into.apply(events.slice(first, Math.min(to, first + BATCH)));
  };

  async function digests(of = fillings): Promise<readonly string[]> {
    return Promise.all(of.map(({ build }) => digestOf(build)));
  }
  async function digestOf(build: ViewBuild): Promise<string> {
    const digest = new ViewDigest(build.view);
    for await (const { id, creationPosition, document } of home.writer.all(build))
      digest.add(id, creationPosition, document!);
    return digest.result();
  }
  /** The documents of a replay into new builds. */
  async function replayed(): Promise<readonly string[]> {
    const beside = await Promise.all(
      projections.map(async (projection) => ({
        projection,
        build: await home.writer.begin(projection.view, LEASE),
      })),
    );
    await fill(new BatchProjector(home.writer, beside));
    return digests(beside);
  }

  it('are equal to a replay after the writer was killed repeatedly between documents and progress', async () => {
    const reached: number[] = [0];
    for (let last = 0; last < events.length;) {
      // Killed between documents and progress; the next projector starts up to two batches earlier.
      last = Math.min(events.length, last + BATCH);
      const from = reached.at(-3) ?? 0;
      await fill(folder(), from, last);
      reached.push(last);
    }

    expect(await digests()).toEqual(await replayed());
  });

  it('are equal to a replay when two projectors write at once, one of them late', async () => {
    const late = folder();
    await fill(late, 0, 2 * BATCH);
    await Promise.all([fill(folder()), fill(late, 2 * BATCH)]);

    expect(await digests()).toEqual(await replayed());
  });

  it('are equal to a replay despite lost replies, races and a primary that steps down', async () => {
    const writer = folder();
    for (let first = 0; first < events.length; first += BATCH) {
      const turn = (first / BATCH) % 4;
      if (turn === 0) await server.faults.loseReplies(1);
      if (turn === 1) await server.faults.loseUpsertRaces(5);
      if (turn === 2) await server.dropAll();
      await writer.apply(events.slice(first, first + BATCH));
    }
    await server.faults.clear();

    expect(await digests()).toEqual(await replayed());
  });
});
