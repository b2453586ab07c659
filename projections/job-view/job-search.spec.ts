import * as the from '../../test/kit/examples/jobs.js';
import { viewOfJobs, type JobStory } from '../../test/kit/job-views.js';
import { jobViewProjection } from './job-view.projection.js';
import { recordedAt } from '../../test/kit/recorded.js';
import { TestViews } from '../../test/kit/views.js';
import { JobSearch, type JobSearchFilter } from './job-search.js';

const { ACCOUNT_ID, PRINTER_ID, seconds } = the;
const page = { limit: 25 };

/** Jobs `a`, `b`, `c` …, each created two seconds after the one before. */
const jobs = (...of: readonly NonNullable<JobStory['of']>[]) =>
  new JobSearch(viewOfJobs(...of.map((one) => ({ events: the.waiting, of: one }))));

describe('searching the jobs of an account', () => {
  const search = jobs(
    { title: 'Order 1211', externalId: 'x-1' },
    { title: 'ORDER 1212', externalId: 'Order 9', printerId: 'another printer' },
    { title: 'Übergabe', externalId: '1211' },
    { title: 'An order 1211', externalId: 'x-2' },
    { title: 'order 1211', accountId: 'another account' },
    { title: 'Ｏrder 1', externalId: 'x-3' },
  );
  const found = async (filter: JobSearchFilter) => {
    const { documents } = await search.find(ACCOUNT_ID, filter, page);
    return documents.map(({ job_id }) => job_id).join('');
  };

  it.each([
    [{ text: 'order 121' }, 'ba'],
    [{ text: 'Order' }, 'fba'],
    [{ text: 'üBER' }, 'c'],
    [{ text: '1211' }, 'c'],
    [{ text: 'rder' }, ''],
    [{ text: 'order', printerId: PRINTER_ID }, 'fa'],
    [{ text: 'order', status: 'cancelled' as const }, ''],
    [{ text: 'order', from: seconds(1) }, 'fb'],
    [{ to: seconds(4) }, 'ba'],
    [{ from: seconds(2), to: seconds(6) }, 'cb'],
    [{ from: seconds(100) }, ''],
    [{}, 'fdcba'],
  ])('finds %j, newest first', async (filter, expected) => {
    expect(await found(filter)).toBe(expected);
  });

  it('pages through the matches, and ends with the last', async () => {
    const first = await search.find(ACCOUNT_ID, { text: 'order' }, { limit: 2 });
    const rest = await search.find(ACCOUNT_ID, { text: 'order' }, { limit: 2, after: first.next! });
    expect([first, rest].map(({ documents }) => documents.map(({ job_id }) => job_id).join(''))).toEqual([
      'fb',
      'a',
    ]);
    expect(rest.next).toBeUndefined();
    expect((await search.find(ACCOUNT_ID, { text: 'order' }, { limit: 3 })).next).toBeUndefined();
  });

  it('finds jobs of several accounts', async () => {
    const all = await search.findOfAccounts([ACCOUNT_ID, 'another account'], 'order 1', 3);
    expect(all.map(({ job_id }) => job_id)).toEqual(['f', 'e', 'b']);
  });
});

describe('searching for a text that thousands of jobs begin with', () => {
  const ORDERS = 10_001;
  const NOTES = 5_000;
  let search: JobSearch;
  beforeAll(() => {
    const views = new TestViews([jobViewProjection]);
    const events = Array.from({ length: ORDERS + NOTES }, (_, n) => {
      const title = n < ORDERS ? `Order ${n}` : `Note ${n}`;
      const data = { ...the.created.data, jobId: `job ${n}`, externalId: `x-${n}`, title };
      const event = recordedAt(seconds(n), `job-${n}`, 0, { type: 'JobCreated', data });
      return { ...event, position: String(n + 1).padStart(20, '0') };
    });
    views.project(events);
    search = new JobSearch(views.store);
  });
  const found = async (filter: JobSearchFilter, after?: string) => {
    const { documents, next } = await search.find(ACCOUNT_ID, filter, { limit: 2, ...(after && { after }) });
    return { titles: documents.map(({ title }) => title), next };
  };

  it('returns the newest first, and goes on where a page ended', async () => {
    const newest = { text: 'order', to: seconds(ORDERS) };
    const first = await found(newest);
    expect(first.titles).toEqual(['Order 10000', 'Order 9999']);
    expect((await found(newest, first.next)).titles).toEqual(['Order 9998', 'Order 9997']);
  });

  it('looks through a bounded number of jobs for one page', async () => {
    const created = { text: 'order', status: 'created' } as const;
    const first = await found(created);
    expect(first.titles).toEqual([]);
    expect((await found(created, first.next)).titles).toEqual(['Order 10000', 'Order 9999']);
  });

  it('finds the newest of all accounts', async () => {
    const titles = async (text: string) =>
      (await search.findOfAccounts([ACCOUNT_ID], text, 1)).map(({ title }) => title);
    expect([await titles('x'), await titles('order 5')]).toEqual([['Note 15000'], ['Order 5999']]);
  });

  it('sorts the matches among all jobs, however old they are', async () => {
    expect((await found({ text: 'order' })).titles).toEqual(['Order 10000', 'Order 9999']);
  });

  it('sorts the matches of a longer text', async () => {
    expect((await found({ text: 'order 99' })).titles).toEqual(['Order 9999', 'Order 9998']);
  });
});
