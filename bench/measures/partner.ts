import { atLeast, type Bench, type Measure } from '../measure.js';
import type { LoadGenerator } from '../load/load.js';
import type { RequestSpec } from '../load/load-spec.js';
import { readerOf } from '../many-jobs.js';
import type { ServiceProcess } from '../programs/service.js';
import { call, creates, get, openCustomer, partnerCreates, type Customer } from '../world.js';
import { figuresOf, loadInTurn, loadRounds, ratios, type Loaded } from './service-load.js';
import { withService } from './with-service.js';

const PAGE = 100;
/** Number of different jobs requested in turn. */
const DIFFERENT = 1_000;
/** Keeps every 100th cursor of the walk from the newest to the oldest job for the load. */
const CURSORS_KEPT_EVERY = 100;

interface JobPage {
  readonly items: readonly { readonly job_id: string }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const ratio = (name: string, loaded: Loaded, to: Loaded, least: number) => ({
  name,
  unit: 'x' as const,
  rounds: ratios(loaded, to),
  target: atLeast(least),
  cost: loaded.cost,
  note: `by CPU-seconds ${(to.cost.total / loaded.cost.total).toFixed(2)} x`,
});

export const partnerCreate: Measure = {
  name: 'partner-creates',
  about: 'creates through the Partner API, against those through the Integration API in the same run',

  run: (bench) =>
    withService(bench.folder('partner'), async (service, generator) => {
      const customer = await openCustomer(service);
      const expected = 201;
      const [integration, partner] = await loadInTurn(bench, generator, [
        { service, requests: creates(customer), expected },
        { service, requests: partnerCreates(customer), expected },
      ]);
      return [
        ratio('Partner creates, of Integration creates', partner!, integration!, 0.9),
        ...figuresOf('Partner creates', partner!),
      ];
    }),
};

/** Walks the whole list page by page; returns a sample of its cursors and jobs. */
async function walk({ url }: ServiceProcess, { accountId, partnerCredential }: Customer) {
  const path = `/accounts/${accountId}/jobs?limit=${PAGE}`;
  const paths = [path];
  const jobs: string[] = [];
  let at: string | null = null;
  for (let page = 0; ; page++) {
    const asked: string = at === null ? path : `${path}&cursor=${encodeURIComponent(at)}`;
    const found: JobPage = await call<JobPage>(url, partnerCredential, 'GET', asked);
    if (page % CURSORS_KEPT_EVERY === 1) paths.push(asked);
    if (jobs.length < DIFFERENT) jobs.push(...found.items.map(({ job_id }) => job_id));
    if (!found.has_more) return { paths: [...paths, asked], jobs };
    at = found.next_cursor;
  }
}

async function etagOf({ url }: ServiceProcess, credential: string, path: string): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${credential}` } });
  await response.text();
  return response.headers.get('etag') ?? '';
}

async function details(bench: Bench, service: ServiceProcess, generator: LoadGenerator, jobs: string[]) {
  const { accountId, partnerCredential } = await readerOf(service);
  const paths = jobs.slice(0, DIFFERENT).map((id) => `/accounts/${accountId}/jobs/${id}`);
  const known: RequestSpec[] = [];
  for (const path of paths) {
    const etag = await etagOf(service, partnerCredential, path);
    known.push(get(partnerCredential, path, { 'if-none-match': etag }));
  }
  const whole = paths.map((path) => get(partnerCredential, path));
  const [detail, unchanged] = await loadInTurn(bench, generator, [
    { service, requests: whole, expected: 200 },
    { service, requests: known, expected: 304 },
  ]);
  return [
    ...figuresOf('Partner job detail', detail!, { rate: 8000 }),
    ratio('304, of the 200 of the same job', unchanged!, detail!, 1.5),
  ];
}

export const partnerReads: Measure = {
  name: 'partner-reads',
  about: 'polling through the Partner API: job detail, 304, pages of 100 at any depth of 1,000,000 jobs',

  run: async (bench) =>
    withService(await bench.manyJobsFolder(), async (service, generator) => {
      const customer = await readerOf(service);
      const { paths, jobs } = await walk(service, customer);
      const pages = paths.map((path) => get(customer.partnerCredential, path));
      const paged = await loadRounds(bench, generator, { service, requests: pages, expected: 200 });
      return [
        ...(await details(bench, service, generator, jobs)),
        ...figuresOf(`Partner page of ${PAGE}, at any depth`, paged, { rate: 1000 }),
      ];
    }),
};
