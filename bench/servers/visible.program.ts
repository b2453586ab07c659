import { pino } from 'pino';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { EventStoreDb } from '../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import { MongoStores } from '../../src/event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { openObservedStores } from '../../src/app/server-stores.js';
import { projectionsFor } from '../../src/app/projections.js';
import { loadConfig } from '../../src/config.js';
import { given, report } from '../programs/program.js';
import { story, type Cast } from '../library/job-story.js';

export interface VisibleParameters {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly writers: number;
  readonly appends: number;
  readonly rounds: number;
}

/** Milliseconds per round. */
export interface VisibleReport {
  readonly p50: readonly number[];
  readonly p99: readonly number[];
}

const LEASE = { group: 'views', holder: 'bench', epoch: 1 };
const AT_MOST_MS = 10_000;

const { eventStoreUrl, mongoUrl, writers, appends, rounds } = given<VisibleParameters>();
const cast: Cast = { accountId: v7(), computerId: v7(), printerIds: [v7()] };
const stores = await openObservedStores({
  eventStoreUrl,
  mongoUrl,
  projections: projectionsFor(loadConfig({})),
  logger: pino({ level: 'silent' }),
  registry: new Registry(),
});
const ending = new AbortController();
const working = stores.projectors!.get('views')!.run(LEASE, ending.signal);
// The reader is a separate instance, which polls the read models.
const clock = new SystemClock();
const asking = await MongoStores.open({ url: mongoUrl, clock });
const events = EventStoreDb.open({ url: eventStoreUrl });

async function round(): Promise<readonly number[]> {
  const waits: number[] = [];
  let next = 0;
  const writer = async () => {
    while (next < appends) {
      const [, job] = story(cast, next++);
      const { position } = await events.append(job!);
      const began = performance.now();
      if (!(await asking.progress.waitFor(position, AT_MOST_MS))) throw new Error('never shown');
      waits.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return waits.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)]!;
await round();
const measured: (readonly number[])[] = [];
for (let n = 0; n < rounds; n++) measured.push(await round());
ending.abort();
await working;
await asking.close();
await events.close();
await stores.close();
report<VisibleReport>({
  p50: measured.map((sorted) => at(sorted, 0.5)),
  p99: measured.map((sorted) => at(sorted, 0.99)),
});
