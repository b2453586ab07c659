import type { Measure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { call, get } from '../world.js';
import { readerOf } from '../many-jobs.js';
import { figuresOf, loadRounds } from './service-load.js';
import { withService } from './with-service.js';

/** Number of different jobs and pages requested in turn. */
const DIFFERENT = 1_000;
const PAGE = 25;

interface JobPage {
  readonly items: readonly { readonly job_id: string }[];
}

async function printedJobs({ url }: ServiceProcess, key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ids.length < count; offset += 100) {
    const path = `/svc-api-print-jobs?limit=100&offset=${offset}&status=spooler_completed`;
    const { items } = await call<JobPage>(url, key, 'GET', path);
    if (items.length === 0) break;
    ids.push(...items.map(({ job_id }) => job_id));
  }
  return ids;
}

export const jobDetail: Measure = {
  name: 'get',
  about: 'getPrintJob with its whole history, 64 connections, among 1,000,000 jobs',

  run: async (bench) =>
    withService(await bench.manyJobsFolder(), async (service, generator) => {
      const { key } = await readerOf(service);
      const ids = await printedJobs(service, key, DIFFERENT);
      const requests = ids.map((id) => get(key, `/svc-api-print-jobs/${id}`));
      const loaded = await loadRounds(bench, generator, { service, requests, expected: 200 });
      return figuresOf('getPrintJob with history', loaded, { rate: 8000 });
    }),
};

export const jobList: Measure = {
  name: 'list',
  about: 'listPrintJobs, 25 a page, filtered, 64 connections, in an account with 1,000,000 jobs',

  run: async (bench) =>
    withService(await bench.manyJobsFolder(), async (service, generator) => {
      const { key, printerIds } = await readerOf(service);
      const filters = printerIds.flatMap((id) => [
        `printer_id=${id}`,
        'status=spooler_completed',
        `printer_id=${id}&status=spooler_completed`,
        'status=queued',
      ]);
      const requests = filters.map((filter) => get(key, `/svc-api-print-jobs?limit=${PAGE}&${filter}`));
      const loaded = await loadRounds(bench, generator, { service, requests, expected: 200 });
      return figuresOf('listPrintJobs, 25 filtered', loaded, { rate: 2000 });
    }),
};
