import { pino } from 'pino';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { digitsOf, partitions } from '../../src/event-sourcing/ports/partitions.js';
import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { openObservedStores } from '../../src/app/server-stores.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { followedTypesOf } from '../../src/app/types-of-instances.js';
import { projectionsFor } from '../../src/app/projections.js';
import { loadConfig } from '../../src/config.js';
import type { Position } from '../../src/kernel/recorded-event.js';
import { given, report } from '../programs/program.js';
import { costOf, memoryOf, usageOf, type Cost } from '../programs/usage.js';
import { story, type Cast } from '../library/job-story.js';
import { withDatabase } from './servers.js';

export interface CatchUpParameters {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly jobs: number;
  readonly rounds: number;
  /** Numbers of partitions, measured in turn. */
  readonly partitions: readonly number[];
}

export interface CatchUpReport {
  readonly events: number;
  readonly rssMb: number;
  readonly builds: readonly BuildReport[];
}

export interface BuildReport {
  readonly partitions: number;
  /** Events of the log for each second that the slowest partition took. Each is built alone, as on cores of its own. */
  readonly perSecond: readonly number[];
  /** Of all partitions. */
  readonly costs: readonly Cost[];
}

const UNDER_WAY = 64;
const MAX_MS = 600_000;
const LEASE = { group: 'views', holder: 'bench', epoch: 1 };

const PAGE = 1_000;

const { eventStoreUrl, mongoUrl, jobs, rounds, partitions: counts } = given<CatchUpParameters>();
const cast: Cast = { accountId: v7(), computerId: v7(), printerIds: Array.from({ length: 20 }, () => v7()) };

const projections = projectionsFor(loadConfig({}));

/** Resolves to the number of events in the log, which may have held some before, and to the end that views reach. */
async function fill(): Promise<{ readonly events: number; readonly head: Position }> {
  const store = EventStoreDb.open({ url: eventStoreUrl });
  let told = 0;
  const lane = async () => {
    while (told < jobs) for (const append of story(cast, told++)) await store.append(append);
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, lane));
  const events = await countEvents(store);
  const head = await store.head(followedTypesOf(projections).projected);
  await store.close();
  return { events, head: head! };
}

async function countEvents(store: EventStoreDb): Promise<number> {
  let after: Position | undefined;
  for (let count = 0; ;) {
    const page = await store.readAll({ max: PAGE, ...(after !== undefined && { after }) });
    count += page.length;
    if (page.length < PAGE) return count;
    after = page.at(-1)!.position;
  }
}

/** Builds each partition alone, from none; resolves to the seconds of each. */
async function catchUp(count: number, round: number): Promise<readonly number[]> {
  const url = withDatabase(mongoUrl, (name) => `${name}-${round}`);
  const logger = pino({ level: 'silent' });
  const options = { eventStoreUrl, mongoUrl: url, partitions: count, projections, logger };
  const stores = await openObservedStores({ ...options, registry: new Registry() });
  const asking = await MongoStores.open({ url, clock: new SystemClock(), partitions: count });
  const projectors = [...stores.projectors!.values()];
  const seconds: number[] = [];
  for (const [index, partition] of partitions(count).entries()) {
    const ending = new AbortController();
    const began = performance.now();
    const working = projectors[index]!.run(LEASE, ending.signal);
    await asking.progress.waitForEvents([{ stream: digitsOf(partition), position: head }], MAX_MS);
    seconds.push((performance.now() - began) / 1000);
    ending.abort();
    await working;
  }
  await asking.close();
  await stores.close();
  return seconds;
}

const { events, head } = await fill();
const builds = counts.map((count) => ({ partitions: count, perSecond: [] as number[], costs: [] as Cost[] }));
for (let round = 0; round < rounds; round++) {
  for (const { partitions: count, perSecond, costs } of builds) {
    const before = usageOf(process.pid);
    perSecond.push(events / Math.max(...(await catchUp(count, round))));
    costs.push(costOf(before, usageOf(process.pid), events));
  }
}
report<CatchUpReport>({ events, builds, rssMb: memoryOf(process.pid).now });
