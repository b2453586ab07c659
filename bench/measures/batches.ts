import { atLeast, type Bench, type Figure, type Measure } from '../measure.js';
import { KEY_PLACE } from '../load/load-spec.js';
import type { ServiceOptions } from '../programs/service.js';
import { batch, call, creates, openCustomer, type Customer } from '../world.js';
import { loadInTurn } from './service-load.js';
import { withService } from './with-service.js';

const SIZE = 100;
const GOAL = 3;

/** Jobs by requests of 100, of jobs by single creates, in turn on one service. */
export function batchesOf(bench: Bench, name: string, options?: ServiceOptions): Promise<readonly Figure[]> {
  return withService(
    bench.folder('batches'),
    async (service, generator) => {
      const customer = await openCustomer(service);
      await refuseRefusals(service.url, customer);
      const [single, many] = await loadInTurn(bench, generator, [
        { service, requests: creates(customer), expected: 201 },
        { service, requests: [batch(customer, SIZE)], expected: 200 },
      ]);
      const jobs = many!.results.map(({ perSecond }) => perSecond * SIZE);
      const cpu = many!.cost.total / SIZE;
      const figure: Figure = {
        ...{ name: `${name}: jobs by batches of ${SIZE}, of single creates`, unit: 'x' },
        rounds: jobs.map((perSecond, n) => perSecond / single!.results[n]!.perSecond),
        target: atLeast(GOAL),
        note: `CPU-s/1,000 jobs ${cpu.toFixed(3)}, by single creates ${single!.cost.total.toFixed(3)}`,
      };
      return [{ name: `${name}: jobs by batches`, unit: '/s', rounds: jobs }, figure];
    },
    options,
  );
}

/** The load sees the status of a batch alone, which is 200 even if each job is refused. */
async function refuseRefusals(url: string, customer: Customer): Promise<void> {
  const { body } = batch(customer, 1);
  const asked = JSON.parse(String(body).replace(KEY_PLACE, 'tried-before')) as object;
  const path = '/svc-api-print-jobs/batch';
  const { results } = await call<{ results: { status: number }[] }>(url, customer.key, 'POST', path, asked);
  if (results[0]?.status !== 201) throw new Error(`a batch was refused: ${JSON.stringify(results)}`);
}

export const batches: Measure = {
  name: 'batches',
  about: 'jobs by requests of 100, of jobs by single creates, 300-byte documents, 64 connections',
  run: (bench) => batchesOf(bench, 'embedded'),
};
