import Database from 'better-sqlite3';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeManyJobs, readerOf } from '../many-jobs.js';
import { atLeast, type Figure, type Measure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { costOf, medianCost, usageOf, type Cost } from '../programs/usage.js';
import { call, type Customer } from '../world.js';
import { latencyOf, requestsAt, type Page } from './change-readers.js';
import { ratioInTurn } from './library.js';
import { waitingReaders } from './waiting-readers.js';
import { withService } from './with-service.js';

const OLD_JOBS = 10_000;
const pageAfter = ({ url }: ServiceProcess, { key }: Customer, after?: string) =>
  call<Page>(url, key, 'GET', `/svc-api-changes?limit=1000${after ? `&after=${after}` : ''}`);

/** Reads all changes from the first; resolves to their number. */
async function readAll(service: ServiceProcess, customer: Customer): Promise<number> {
  let count = 0;
  for (let page: Page | undefined; page?.has_more !== false;) {
    page = await pageAfter(service, customer, page?.next_cursor);
    count += page.items.length;
  }
  return count;
}

/** Bytes of the index for each stored event. */
function indexBytes(dataDir: string): number {
  const db = new Database(join(dataDir, 'rps.db'));
  db.exec('VACUUM');
  const of = (sql: string) => db.prepare(sql).pluck().get() as number;
  const bytes = of(`SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%index_blocks%'`);
  const events = of('SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM packed)');
  db.close();
  return bytes / events;
}

export const changes: Measure = {
  name: 'changes',
  about:
    'changes: readers that wait, their requests for each change, old ones by pages of 1,000, the cost of the index',

  async run(bench) {
    const dataDir = bench.folder('changes');
    const { events } = await makeManyJobs(dataDir, OLD_JOBS);
    const old: number[] = [];
    const costs: Cost[] = [];
    const readers: Figure[] = [];
    await withService(dataDir, async (service) => {
      const customer = await readerOf(service);
      while ((await readAll(service, customer)) < OLD_JOBS * 5) await pause(500);
      for (let round = 0; round < bench.rounds; round++) {
        const before = usageOf(service.pid);
        const start = performance.now();
        const count = await readAll(service, customer);
        costs.push(costOf(before, usageOf(service.pid), count));
        old.push((count * 1000) / (performance.now() - start));
      }
      const seconds = bench.seconds * 4;
      readers.push(await latencyOf(bench, service, customer, 30));
      readers.push(await requestsAt(service, customer, { perSecond: 1, seconds, most: 1.05 }));
      readers.push(await requestsAt(service, customer, { perSecond: 500, seconds, most: 1 / 50 }));
    });
    for (const kind of ['pages', 'streams'] as const) readers.push(...(await waitingReaders(bench, kind)));
    const compared = (work: 'creates' | 'lives') =>
      ratioInTurn(bench, `${work} with the index of changes, of those without`, work, {
        ...{ without: {}, with: { beside: 'changes' } },
      });
    const note = `${indexBytes(dataDir).toFixed(1)} bytes of index for each of ${events} events`;
    return [
      ...readers,
      { name: 'old changes', unit: '/s', rounds: old, target: atLeast(5_000), cost: medianCost(costs), note },
      await compared('creates'),
      await compared('lives'),
    ];
  },
};
