import { PARTNER_LISTINGS } from '../../src/api/partner/jobs/job.resource.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import * as the from '../../test/kit/examples/jobs.js';
import { queriesOfJobs as jobs } from '../../test/kit/job-views.js';

const { ACCOUNT_ID, COMPUTER_ID, PRINTER_ID } = the;

const names = (found: readonly { job_id: string }[]) => found.map(({ job_id }) => job_id);
const page = { limit: 25, offset: 0 };

describe('getting a job', () => {
  it('finds one of the account', async () => {
    const queries = jobs({ events: the.waiting });
    expect(await queries.getJob(ACCOUNT_ID, 'a')).toMatchObject({ job_id: 'a', status: 'queued' });
    expect(await queries.getJob('another account', 'a')).toBeUndefined();
    expect(await queries.getJob(ACCOUNT_ID, 'b')).toBeUndefined();
  });

  it('finds one of the computer', async () => {
    const queries = jobs({ events: the.waiting });
    expect(await queries.getJobOfComputer(COMPUTER_ID, 'a')).toMatchObject({ job_id: 'a' });
    expect(await queries.getJobOfComputer('another computer', 'a')).toBeUndefined();
  });
});

describe('an archived job', () => {
  const purged = [...the.done, the.purged];
  const late = the.recordedLate('report-late', 'spooled', 1, the.cups);
  const queries = (...events: JobEvent[]) => jobs({ events: the.waiting }, { events });

  it('is got as it was before', async () => {
    const before = await queries(...purged).getJob(ACCOUNT_ID, 'b');
    const archived = queries(...purged, the.archived);
    expect(before).toMatchObject({ job_id: 'b', status: 'spooler_completed', sequence: purged.length - 1 });
    expect(await archived.getJob(ACCOUNT_ID, 'b')).toEqual(before);
    expect(await archived.getJobOfComputer(COMPUTER_ID, 'b')).toEqual(before);
    expect(await archived.getJob('another account', 'b')).toBeUndefined();
  });

  it('shows a result that came later, and stays out of the list', async () => {
    const archived = queries(...purged, the.archived, late);
    expect(await archived.getJob(ACCOUNT_ID, 'b')).toMatchObject({ sequence: purged.length + 1 });
    const { items, total } = await archived.listJobs(ACCOUNT_ID, {}, page);
    expect([names(items), total]).toEqual([['a'], 1]);
  });
});

describe('listing jobs', () => {
  const queries = jobs(
    { events: the.waiting },
    { events: the.done, of: { externalId: 'order-2' } },
    { events: the.waiting, of: { printerId: 'another printer' } },
    { events: the.done },
    { events: the.waiting, of: { accountId: 'another account' } },
  );

  it.each([
    [{}, ['d', 'c', 'b', 'a']],
    [{ status: 'queued' as const }, ['c', 'a']],
    [{ printerId: PRINTER_ID }, ['d', 'b', 'a']],
    [{ printerId: PRINTER_ID, status: 'spooler_completed' as const }, ['d', 'b']],
    [{ externalId: 'order-1042' }, ['d', 'c', 'a']],
    [{ externalId: 'order-1042', status: 'queued' as const }, ['c', 'a']],
    [{ externalId: 'order-1042', printerId: PRINTER_ID }, ['d', 'a']],
    [{ externalId: 'order-1042', printerId: PRINTER_ID, status: 'queued' as const }, ['a']],
    [{ externalId: 'unknown' }, []],
  ])('finds %j, newest first', async (filter, expected) => {
    const { items, total } = await queries.listJobs(ACCOUNT_ID, filter, page);
    expect({ items: names(items), total }).toEqual({ items: expected, total: expected.length });
  });

  it('returns a page with the total', async () => {
    const plain = await queries.listJobs(ACCOUNT_ID, {}, { limit: 2, offset: 1 });
    expect({ items: names(plain.items), total: plain.total }).toEqual({ items: ['c', 'b'], total: 4 });
    const narrow = { externalId: 'order-1042', status: 'queued' } as const;
    const scanned = await queries.listJobs(ACCOUNT_ID, narrow, { limit: 1, offset: 1 });
    expect({ items: names(scanned.items), total: scanned.total }).toEqual({ items: ['a'], total: 2 });
  });

  it.each([
    [{}, ['e', 'd', 'c', 'b', 'a']],
    [{ status: 'queued' as const }, ['e', 'c', 'a']],
    [{ accountId: 'another account' }, ['e']],
    [{ accountId: ACCOUNT_ID, status: 'queued' as const }, ['c', 'a']],
    [{ status: 'manual_review' as const }, []],
  ])('finds %j among all accounts, newest first', async (filter, expected) => {
    const { items, total } = await queries.listJobsOfAnyAccount(filter, page);
    expect({ items: names(items), total }).toEqual({ items: expected, total: expected.length });
  });

  it('continues after a creation position, for partners', async () => {
    const queued = { listedAs: PARTNER_LISTINGS.queued };
    const first = await queries.listPartnerJobs(ACCOUNT_ID, queued, { limit: 1 });
    expect(names(first.documents)).toEqual(['c']);
    const rest = { limit: 9, after: first.positions[0] };
    const next = await queries.listPartnerJobs(ACCOUNT_ID, queued, rest);
    expect(names(next.documents)).toEqual(['a']);
    const both = { listedAs: PARTNER_LISTINGS.printed, printerId: PRINTER_ID };
    expect(names((await queries.listPartnerJobs(ACCOUNT_ID, both, { limit: 9 })).documents)).toEqual([
      'd',
      'b',
    ]);
  });
});
