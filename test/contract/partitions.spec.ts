import { SystemClock } from '../../src/app/system/system-clock.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { MemoryRateCounters } from '../../src/app/system/memory-rate-counters.js';
import { noStoreMetrics } from '../../src/event-sourcing/ports/event-store.port.js';
import { partitionOf } from '../../src/event-sourcing/ports/partitions.js';
import { openServerStores, type ServerStores } from '../../src/event-sourcing/servers/open-server-stores.js';
import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { FollowedTypes } from '../../src/event-sourcing/servers/cluster/followed-types.js';
import { handledBy } from '../../src/kernel/projection.js';
import { freshUrlOf } from '../kit/mongo-databases.js';
import { startServers, type Servers } from '../kit/server-stores.js';
import { begin, burnt, closed, goOn, moved, newEvent, written } from './sample-appends.js';
import { notes, projections, type Note } from './sample-views.js';

const COUNT = 2;
const WAIT_MS = 30_000;
const ALL = { where: {}, order: 'newest', limit: 1_000 } as const;
const quiet = () => undefined;
const clock = new SystemClock();

const observer = {
  ...{ appends: noStoreMetrics, subscriptionFailed: quiet, subscriptionSilent: quiet },
  ...{ projectionFailed: quiet, mongoReconnected: quiet, projector: { applied: quiet, halted: quiet } },
  events: {
    ...{ warned: quiet, outageBegan: quiet, outageEnded: quiet, interrupted: quiet, dropped: quiet },
    clientReplaced: quiet,
  },
};

/** One instance, whose projectors the test starts. */
class Instance {
  private readonly terms = new Map<number, { end: () => void; ended: Promise<void> }>();
  private static epoch = 0;

  private constructor(
    readonly stores: ServerStores,
    private readonly asking: MongoStores,
  ) {}

  static async open({ urls }: Servers, mongoUrl: string, partitions: number): Promise<Instance> {
    const stores = await openServerStores({
      ...{ ...urls, mongoUrl, partitions, projections, clock, heartbeatClock: clock },
      types: new FollowedTypes(handledBy(projections), []),
      randomness: new SystemRandomness(),
      fallbackCounters: new MemoryRateCounters(clock),
      observe: () => observer,
    });
    return new Instance(stores, await MongoStores.open({ url: mongoUrl, clock, partitions }));
  }

  start(...partitions: readonly number[]): void {
    for (const partition of partitions) {
      const [group, projector] = [...this.stores.projectors!][partition]!;
      const ending = new AbortController();
      const lease = { group, holder: 'test', epoch: ++Instance.epoch };
      this.terms.set(partition, { end: () => ending.abort(), ended: projector.run(lease, ending.signal) });
    }
  }

  async stop(...partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      this.terms.get(partition)!.end();
      await this.terms.get(partition)!.ended;
      this.terms.delete(partition);
    }
  }

  /** All events of now are projected. */
  shown(): Promise<void> {
    return this.stores.events.waitUntilProjected(WAIT_MS);
  }

  shows(stream: string, position: string, ms = WAIT_MS): Promise<boolean> {
    return this.asking.progress.waitForEvents([{ stream, position }], ms);
  }

  /** What readers are answered. */
  async contents() {
    const { views } = this.stores;
    const ofView = async ({ view }: (typeof projections)[number]) => ({
      name: view.name,
      found: await views.find(view, ALL),
      totals: await Promise.all((view.countBy ?? []).map((by) => views.totals(view, { by, first: [] }))),
    });
    return Promise.all(projections.map(ofView));
  }

  async close(): Promise<void> {
    await this.stop(...this.terms.keys());
    await this.asking.close();
    await this.stores.close();
  }
}

describe('read models in partitions', () => {
  let servers: Servers;
  let whole: Instance;
  let parted: Instance;
  let lastNote = 0;

  beforeAll(async () => void (servers = await startServers()));
  beforeEach(async () => {
    whole = await Instance.open(servers, freshUrlOf(servers.mongo), 1);
    parted = await Instance.open(servers, freshUrlOf(servers.mongo), COUNT);
    whole.start(0);
  });
  afterEach(async () => {
    await Promise.all([whole.close(), parted.close()]);
  });
  afterAll(() => servers.stop());

  const noteIn = (partition: number) => {
    do lastNote++;
    while (partitionOf(`note-${lastNote}`, COUNT) !== partition);
    return `note-${lastNote}`;
  };
  const append = (...appends: ReturnType<typeof begin>[]) =>
    parted.stores.events.appendInOrder(appends, { consistency: 'durable' });

  /** Notes of both partitions, also changed, removed and written again. */
  async function write(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const stream = noteIn(n % COUNT);
      await append(begin(stream, written(`text ${n}`, n % 3 === 0 ? 'a' : 'b'), moved(`f${n % 4}`)));
      if (n % 5 === 0) await append(goOn(stream, 1, closed()));
      if (n % 7 === 0) await append(goOn(stream, n % 5 === 0 ? 2 : 1, burnt(), written('again')));
      await append(
        begin(`pages-${stream}`, newEvent({ type: 'PagesAdded', data: { pages: [`p${stream}`] } })),
      );
    }
  }

  async function expectEqual(): Promise<void> {
    await Promise.all([whole.shown(), parted.shown()]);
    expect(await parted.contents()).toEqual(await whole.contents());
    const verified = await parted.stores.maintenance.verify();
    expect(verified.map(({ name, equal }) => [name, equal])).toEqual(
      projections.map(({ view }) => [view.name, true]),
    );
  }

  it('equal those of one projector: built, live, and built again', async () => {
    await write(10);
    parted.start(0, 1);
    await expectEqual();
    await write(10);
    await expectEqual();
    await parted.stores.maintenance.rebuild('notes');
    await expectEqual();
  });

  it('equal those of one projector after a projector was cut off again and again', async () => {
    parted.start(0, 1);
    for (let round = 0; round < 4; round++) {
      const writing = write(8);
      await parted.stop(round % COUNT);
      await writing;
      parted.start(round % COUNT);
    }
    await expectEqual();
  });

  it('go on while the projector of another partition stands still', async () => {
    parted.start(0, 1);
    await parted.shown();
    await parted.stop(1);
    const [here, there] = [noteIn(0), noteIn(1)];
    const [first] = await append(begin(here, written('here', 'alone')));
    const [second] = await append(begin(there, written('there', 'alone')));
    expect(await parted.shows(here, first!.events[0]!.position)).toBe(true);
    expect(await parted.shows(there, second!.events[0]!.position, 0)).toBe(false);
    const listed = () => parted.stores.views.list<Note>(notes.view, { ...ALL, where: { account: 'alone' } });
    expect((await listed()).map(({ text }) => text)).toEqual(['here']);
    expect((await parted.stores.maintenance.list()).every(({ lag }) => lag > 0)).toBe(true);

    parted.start(1);
    expect(await parted.shows(there, second!.events[0]!.position)).toBe(true);
    expect((await listed()).map(({ text }) => text)).toEqual(['there', 'here']);
  });

  it('are built beside those of another number', async () => {
    await write(4);
    await whole.shown();
    const before = await whole.contents();
    parted.start(0, 1);
    await parted.shown();
    expect(await whole.contents()).toEqual(before);
  });
});
