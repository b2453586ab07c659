import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { ActiveViews } from '../../src/event-sourcing/projections/active-views.js';
import { BatchProjector } from '../../src/event-sourcing/projections/batch-projector.js';
import { combinationsWithAll, forEachCountChange } from '../../src/event-sourcing/projections/view-index.js';
import { StoreRetry } from '../../src/async/retry.js';
import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { BuildWrites, ViewBuild, ViewWriter } from '../../src/event-sourcing/ports/view-writer.port.js';
import { LEASE } from '../kit/fed-mongo.js';
import { countOf } from '../kit/length.js';
import { mongoServers, type MongoDatabases } from '../kit/mongo-databases.js';
import { Random } from '../kit/random.js';
import { metadata } from '../kit/recorded.js';
import { notes, type SampleEvent } from './sample-views.js';
import { UnavailableError } from '../../src/kernel/errors.js';

const { view } = notes;
const EVENTS = 120;
const NOTES = 15;
const STEPS = 200;

/** Notes that are written, moved, closed, burnt and written again. */
function someEvents(random: Random): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  const account = () => random.of(['a', 'b']);
  const happenings: (() => SampleEvent)[] = [
    () => ({
      type: 'NoteWritten',
      data: { account: account(), folder: 'in', urgent: false, text: '' },
    }),
    () => ({ type: 'NoteMoved', data: { folder: random.of(['in', 'out']) } }),
    () => ({ type: 'NoteClosed', data: {} }),
    () => ({ type: 'NoteBurnt', data: {} }),
  ];
  return Array.from({ length: EVENTS }, (_, n): RecordedEvent => {
    const stream = `note-${random.below(NOTES)}`;
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const event = (revision === 0 ? happenings[0]! : random.of(happenings))();
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    return { id, stream, revision, position: positionFromNumber(n + 1), metadata, ...event };
  });
}

/** Writes a random part of a batch and fails, as a process that is cut off. */
class CutOffWriter {
  constructor(
    private readonly inner: ViewWriter,
    private readonly random: Random,
  ) {}

  load(build: ViewBuild, ids: readonly string[]) {
    return this.inner.load(build, ids);
  }

  async write(writes: readonly BuildWrites[]): Promise<number> {
    if (!this.random.chance(0.4)) return this.inner.write(writes);
    const withDocuments = this.random.chance(0.5);
    const part = writes.map(({ build, documents, counts = [] }) => {
      const keys = new Set(
        counts.map(({ key }) => key).filter(() => withDocuments || this.random.chance(0.5)),
      );
      return {
        build,
        documents: documents.filter(() => withDocuments && this.random.chance(0.5)),
        counts: counts.filter(({ key }) => keys.has(key)),
      };
    });
    await this.inner.write(part);
    throw new UnavailableError('cut off');
  }
}

/** A holder of the read models, who may be paused, or go on beside its successor. */
class Holder {
  private projector!: BatchProjector;

  constructor(
    private readonly writer: CutOffWriter,
    private readonly build: ViewBuild,
    private done: number,
  ) {
    this.forgetDocuments();
  }

  forgetDocuments(): void {
    const writer = this.writer as unknown as ViewWriter;
    this.projector = new BatchProjector(writer, [{ projection: notes, build: this.build }]);
  }

  /** Resolves to how far it is. */
  async goOn(events: readonly RecordedEvent[], length: number): Promise<number> {
    const batch = events.slice(this.done, this.done + length);
    await this.projector.apply(batch);
    return (this.done += batch.length);
  }
}

const RUNS = countOf('RUNS', { short: 6, long: 20, soak: 200 });

describe.each(mongoServers)('totals of a view over $name', ({ start }) => {
  let databases: MongoDatabases;
  let homes: [MongoStores, MongoStores];
  let build: ViewBuild;

  beforeAll(async () => void (databases = await start()));
  beforeEach(async () => {
    const url = databases.fresh();
    const clock = new SystemClock();
    homes = [await MongoStores.open({ url, clock }), await MongoStores.open({ url, clock })];
    await homes[0].writer.takeOver(LEASE);
    build = await homes[0].writer.begin(view, LEASE);
    await homes[0].writer.activate(build, LEASE);
  });
  afterEach(async () => {
    for (const home of homes) await home.close();
    await databases.drop();
  });
  afterAll(() => databases.stop());

  const kept = async () => {
    const totals: [string, number][] = [];
    for await (const [key, n] of homes[1].writer.totals(build)) totals.push([key, n]);
    return new Map(totals);
  };

  const recounted = async () => {
    const totals = new Map<string, number>();
    for await (const { document } of homes[1].writer.all(build))
      forEachCountChange(combinationsWithAll(view), undefined, document, (key, by) =>
        totals.set(key, (totals.get(key) ?? 0) + by),
      );
    return totals;
  };

  /** Two holders at once, batches of any size, cut off anywhere, repeated or taken up from the progress. */
  async function projectBadly(events: readonly RecordedEvent[], random: Random): Promise<void> {
    let progress = 0;
    const fresh = () => new Holder(new CutOffWriter(random.of(homes).writer, random), build, progress);
    const holders = [fresh(), fresh()];
    const goOn = async (n: number) => {
      const holder = holders[n]!;
      if (random.chance(0.2)) holder.forgetDocuments();
      try {
        progress = Math.max(progress, await holder.goOn(events, 1 + random.below(12)));
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        if (random.chance(0.5)) holders[n] = fresh();
      }
    };
    for (let step = 0; step < STEPS && progress < EVENTS; step++)
      await Promise.all(random.of([[0], [1], [0, 1]]).map(goOn));
    const last = new Holder(homes[0].writer as unknown as CutOffWriter, build, progress);
    await last.goOn(events, EVENTS);
  }

  it.each(Array.from({ length: RUNS }, (_, seed) => ({ seed })))(
    'are exact after interrupted, repeated and concurrent batches (seed $seed)',
    async ({ seed }) => {
      const random = new Random(seed);
      await projectBadly(someEvents(random), random);

      const expected = await recounted();
      expect(expected.get('')).toBeGreaterThan(0);
      expect(await kept()).toEqual(expected);
    },
  );

  it('answer a count without reading documents', async () => {
    await homes[0].writer.write([
      { build, documents: [], counts: [{ key: 'account=s1:a,', position: positionFromNumber(1), by: 1 }] },
    ]);

    expect(await homes[1].views.count(view, { account: ['a', 'b'] })).toBe(1);
    expect(await homes[1].views.count(view, { account: 'b' })).toBe(0);
    expect(await homes[1].views.find(view, { where: {}, order: 'newest', limit: 9 })).toMatchObject({
      documents: [],
    });
  });

  /** The projector's views over this log, which it has projected to its end. */
  async function projected(events: readonly RecordedEvent[]): Promise<ActiveViews> {
    const log = {
      readAll: async ({ after = '', max }: { after?: string; max: number }) =>
        events.filter(({ position }) => position > after).slice(0, max),
      async *subscribe() {
        yield { events, position: events.at(-1)!.position, caughtUp: true, interrupted: false };
      },
      head: async () => events.at(-1)!.position,
      end: async () => events.at(-1)!.position,
      holds: async () => true,
      writeMarker: async () => events.at(-1)!.position,
    };
    const onError = (error: unknown) => {
      throw error;
    };
    const clock = new SystemClock();
    const retries = new StoreRetry(clock, onError);
    const { writer } = homes[0];
    const dependencies = { events: log, writer, projections: [notes], clock, retries, onError };
    const views = new ActiveViews(dependencies, {
      lease: LEASE,
      signal: new AbortController().signal,
      end: () => undefined,
    });
    await views.open();
    await views.apply(events);
    return views;
  }

  it('are compared by a verification and rebuilt by a rebuild', async () => {
    const events = someEvents(new Random(1));
    const views = await projected(events);
    expect(await views.verify()).toMatchObject([{ name: 'notes', equal: true }]);

    const wrong = { key: 'account=s1:a,', position: positionFromNumber(EVENTS + 1), by: 1 } as const;
    await homes[0].writer.write([{ build, documents: [], counts: [wrong] }]);
    expect(await views.verify()).toMatchObject([{ name: 'notes', equal: false }]);

    await views.rebuild(['notes']);
    expect(await views.verify()).toMatchObject([{ name: 'notes', equal: true }]);
  });
});
