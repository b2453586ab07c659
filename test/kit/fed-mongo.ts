import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import type { AnyProjection } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Clock } from '../../src/kernel/time.js';
import type { GroupLease } from '../../src/event-sourcing/ports/group-leases.port.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { BatchProjector, type ProjectedBuild } from '../../src/event-sourcing/projections/batch-projector.js';
import { eventsOf, partitions } from '../../src/event-sourcing/ports/partitions.js';
import type { ViewWriter } from '../../src/event-sourcing/ports/view-writer.port.js';
import { KeyedMutex } from '../../src/async/keyed-mutex.js';
import { TestEventStore, openTestStores } from './stores.js';

/** Kept in memory across a restart of the stores. */
export type Log = TestEventStore;

export const newLog = (): Log => new TestEventStore();

export const LEASE: GroupLease = { group: 'views', holder: 'this', epoch: 1 };

/** Creates and activates a build of each view without one. */
export async function buildsOf(
  { writer }: { readonly writer: ViewWriter },
  projections: readonly AnyProjection[],
  lease = LEASE,
): Promise<readonly ProjectedBuild[]> {
  await writer.takeOver(lease);
  const active = await writer.active(projections.map(({ view }) => view));
  const fillings: ProjectedBuild[] = [];
  for (const projection of projections) {
    let build = active.find(({ view }) => view === projection.view);
    if (!build) await writer.activate((build = await writer.begin(projection.view, lease)), lease);
    fillings.push({ projection, build });
  }
  return fillings;
}

/**
 * Stores with events in memory and everything else in MongoDB. The read models contain each append before it
 * resolves, so that the contracts of all other stores run without an EventStoreDB.
 * @param count of partitions
 */
export async function openFedMongo(
  url: string,
  log: Log,
  projections: readonly AnyProjection[],
  clock: Clock,
  count = 1,
): Promise<Stores> {
  const home = await MongoStores.open({ url, clock, partitions: count });
  const folders = await Promise.all(
    home.writers.map(async (writer) => new BatchProjector(writer, await buildsOf({ writer }, projections))),
  );
  const mutex = new KeyedMutex();
  let fed = (await home.writer.progress())?.position;
  const feed = () =>
    mutex.run('feed', async () => {
      const fresh: readonly RecordedEvent[] = await log.readAll({ ...(fed && { after: fed }), max: 10_000 });
      if (fresh.length === 0) return;
      const last = fresh.at(-1)!.position;
      const parts = partitions(count);
      await Promise.all(parts.map((part) => folders[part.index]!.apply(eventsOf(part, fresh))));
      await Promise.all(home.writers.map((writer) => writer.advance(last, LEASE)));
      fed = last;
    });
  const events = Object.create(log) as TestEventStore;
  events.append = async (append) => {
    const appended = await log.append(append);
    await feed();
    return appended;
  };
  return {
    ...openTestStores({ projections }),
    ...{ events, views: home.views, contents: home.contents },
    ...{
      liveness: home.liveness,
      checkpoints: home.checkpoints,
      indexBlocks: home.indexBlocks,
      hashes: home.hashes,
      locks: home.locks,
      leases: home.leases,
    },
    close: () => home.close(),
  };
}
