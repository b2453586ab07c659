import { pino } from 'pino';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { openObservedStores } from '../../src/app/server-stores.js';
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
}

export interface CatchUpReport {
  readonly events: number;
  /** Events per second projected into the read models, from the first to the last. */
  readonly perSecond: readonly number[];
  readonly costs: readonly Cost[];
  readonly rssMb: number;
}

const UNDER_WAY = 64;
const MAX_MS = 600_000;
const LEASE = { group: 'views', holder: 'bench', epoch: 1 };

const PAGE = 1_000;

const { eventStoreUrl, mongoUrl, jobs, rounds } = given<CatchUpParameters>();
const cast: Cast = { accountId: v7(), computerId: v7(), printerIds: Array.from({ length: 20 }, () => v7()) };

/** Resolves to the number of events in the log, which may have held some before. */
async function fill(): Promise<number> {
  const store = EventStoreDb.open({ url: eventStoreUrl });
  let told = 0;
  const lane = async () => {
    while (told < jobs) for (const append of story(cast, told++)) await store.append(append);
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, lane));
  const events = await countEvents(store);
  await store.close();
  return events;
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

/** Starts one worker without read models; resolves to the seconds until all are built. */
async function catchUp(round: number): Promise<number> {
  const stores = await openObservedStores({
    eventStoreUrl,
    mongoUrl: withDatabase(mongoUrl, (name) => `${name}-${round}`),
    projections: projectionsFor(loadConfig({})),
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  const ending = new AbortController();
  const began = performance.now();
  const working = stores.projector!.run(LEASE, ending.signal);
  await stores.events.waitUntilProjected(MAX_MS);
  const seconds = (performance.now() - began) / 1000;
  ending.abort();
  await working;
  await stores.close();
  return seconds;
}

const events = await fill();
const perSecond: number[] = [];
const costs: Cost[] = [];
for (let round = 0; round < rounds; round++) {
  const before = usageOf(process.pid);
  perSecond.push(events / (await catchUp(round)));
  costs.push(costOf(before, usageOf(process.pid), events));
}
report<CatchUpReport>({ events, perSecond, costs, rssMb: memoryOf(process.pid).now });
