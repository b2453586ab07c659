import { readerOf } from '../many-jobs.js';
import { atMost, type Bench, type Figure, type Measure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { rounds } from '../statistics.js';
import { ownersLink } from '../world.js';
import { withService } from './with-service.js';

/** As many as a page of the panel. */
const PAGE = 50;
/** Times that each question is asked, one request after the other, as a person does. */
const ASKED = 20;
const DAY_MS = 86_400_000;
const FIRST_PAGE_MS = 300;
const SEARCH_MS = 500;

interface Page {
  readonly items: readonly { readonly job_id: string; readonly title: string }[];
}

export const find: Measure = {
  name: 'find',
  about: 'the first page of jobs in the panel, and searches, by a member among 1,000,000 jobs',

  run: async (bench) =>
    withService(await bench.manyJobsFolder(), async (service) => {
      const { accountId, printerIds } = await readerOf(service);
      const ask = await memberOf(service, accountId);
      const { items } = await ask('');
      const { job_id: jobId } = items.at(-1)!;
      const from = new Date(Date.now() - DAY_MS).toISOString();
      return [
        await figure(ask, 'first page', '', FIRST_PAGE_MS),
        await figure(ask, 'first page of a status', 'status=queued', FIRST_PAGE_MS),
        await figure(ask, 'first page of a printer', `printer_id=${printerIds[0]}`, FIRST_PAGE_MS),
        await figure(ask, 'first page of a day', `from=${from}`, FIRST_PAGE_MS),
        ...(await searches(ask, bench, jobId)),
      ];
    }),
};

type Ask = (query: string) => Promise<Page>;

/** Titles are `Order 0`, `Order 1` and so on; external ids `order-0`. */
async function searches(ask: Ask, { manyJobs }: Bench, jobId: string): Promise<Figure[]> {
  const middle = String(Math.floor(manyJobs / 2));
  const search = (name: string, text: string) =>
    figure(ask, `search: ${name}`, `q=${encodeURIComponent(text)}`, SEARCH_MS);
  return [
    await search('a title', `Order ${middle}`),
    await search('a hundred titles', `Order ${middle.slice(0, -2)}`),
    await search('the beginning of most titles', 'Order'),
    await search('the beginning of a ninth of the titles, the oldest', 'Order 1'),
    await search('the middle of a title, which finds nothing', middle),
    await search('an external id', `order-${middle}`),
    await search('a job id', jobId),
    await search('the first eight characters of a job id', jobId.slice(0, 8)),
  ];
}

async function figure(ask: Ask, name: string, query: string, most: number): Promise<Figure> {
  let found = 0;
  const times = await rounds(ASKED, async () => {
    const began = performance.now();
    found = (await ask(query)).items.length;
    return performance.now() - began;
  });
  const note = `${found} jobs found`;
  return { name: `panel, ${name}`, unit: 'ms', rounds: times, target: atMost(most), note };
}

/** A member who has signed in, as a browser would be. */
async function memberOf(service: ServiceProcess, accountId: string): Promise<Ask> {
  const link = await ownersLink(service, accountId, 'finder');
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ token: link.slice(link.lastIndexOf('/') + 1) });
  const answer = await fetch(`${service.url}/panel/session/link`, { method: 'POST', headers, body });
  const cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  return async (query) => {
    const path = `/panel/jobs?limit=${PAGE}&${query}`;
    const response = await fetch(`${service.url}${path}`, { headers: { ...headers, cookie } });
    if (!response.ok) throw new Error(`a search was answered with ${response.status}`);
    return ((await response.json()) as { data: Page }).data;
  };
}
