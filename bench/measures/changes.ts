import Database from 'better-sqlite3';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeManyJobs, readerOf } from '../many-jobs.js';
import { atLeast, atMost, type Measure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { costOf, medianCost, usageOf, type Cost } from '../programs/usage.js';
import { quantile } from '../statistics.js';
import { call, type Customer } from '../world.js';
import { livesBeside } from './library.js';
import { withService } from './with-service.js';

const OLD_JOBS = 10_000;
const JOBS_PER_ROUND = 60;
/** Long enough for the reader to wait when the job is created. */
const ASLEEP_MS = 25;

interface Page {
  readonly items: readonly object[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

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

let keys = 0;

/** Time from sending a job to the answer of a reader that waits. */
async function createdToReader({ url }: ServiceProcess, { key, printerIds }: Customer): Promise<number> {
  const { next_cursor } = await call<Page>(url, key, 'GET', '/svc-api-changes?after=now');
  const headers = { authorization: `Bearer ${key}` };
  const reading = fetch(`${url}/svc-api-changes?after=${next_cursor}`, {
    headers: { ...headers, prefer: 'wait=25' },
  });
  await pause(ASLEEP_MS);
  const start = performance.now();
  const creating = fetch(`${url}/svc-api-print-jobs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `bench-changes-${keys++}` },
    body: JSON.stringify({
      printer_id: printerIds[0],
      content: { type: 'text', encoding: 'utf8', data: 'Hello' },
    }),
  });
  await (await reading).text();
  const ms = performance.now() - start;
  if ((await creating).status !== 201) throw new Error('a job was refused');
  return ms;
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
    'changes: from creating a job to a reader that waits, old ones by pages of 1,000, and what their index costs',

  async run(bench) {
    const dataDir = bench.folder('changes');
    const { events } = await makeManyJobs(dataDir, OLD_JOBS);
    const old: number[] = [];
    const costs: Cost[] = [];
    const waited: number[][] = [];
    await withService(dataDir, async (service) => {
      const customer = await readerOf(service);
      while ((await readAll(service, customer)) < OLD_JOBS * 5) await pause(500);
      for (let round = 0; round < bench.rounds; round++) {
        const before = usageOf(service.pid);
        const start = performance.now();
        const count = await readAll(service, customer);
        costs.push(costOf(before, usageOf(service.pid), count));
        old.push((count * 1000) / (performance.now() - start));
        const times: number[] = [];
        for (let n = 0; n < JOBS_PER_ROUND; n++) times.push(await createdToReader(service, customer));
        waited.push(times);
      }
    });
    const note = `${indexBytes(dataDir).toFixed(1)} bytes of index for each of ${events} events`;
    return [
      {
        name: 'created → waiting reader of changes, p99',
        unit: 'ms',
        rounds: waited.map((times) => quantile(times, 0.99)),
        target: atMost(30),
      },
      { name: 'old changes', unit: '/s', rounds: old, target: atLeast(5_000), cost: medianCost(costs), note },
      await livesBeside(bench, 'changes', 'lives with the index of changes, of those without'),
    ];
  },
};
