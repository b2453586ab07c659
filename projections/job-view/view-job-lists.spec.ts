import * as the from '../../test/kit/examples/jobs.js';
import { viewOfJobs } from '../../test/kit/job-views.js';
import { ViewJobLists } from './view-job-lists.js';

const { ACCOUNT_ID, COMPUTER_ID, PRINTER_ID, leaseIdOf } = the;
const names = (found: readonly { readonly jobId: string }[]) => found.map(({ jobId }) => jobId);
const page = { limit: 25, offset: 0 };

describe('listing the jobs of one computer and its printers', () => {
  const lists = new ViewJobLists(
    viewOfJobs(
      { events: the.withAgent },
      { events: the.waiting },
      { events: [...the.withAgent, the.lapsed()] },
      { events: the.taken },
      { events: the.handing },
      { events: the.printing },
      { events: the.inReview },
      { events: the.waiting, of: { printerId: 'another printer' } },
    ),
  );

  it('finds the queue of a printer, oldest first, page by page', async () => {
    expect(names((await lists.queuedOfPrinter(PRINTER_ID, { limit: 10 })).jobs)).toEqual(['b', 'c']);
    const first = await lists.queuedOfPrinter(PRINTER_ID, { limit: 1 });
    expect(names(first.jobs)).toEqual(['b']);
    const second = await lists.queuedOfPrinter(PRINTER_ID, { limit: 1, after: first.next! });
    expect(names(second.jobs)).toEqual(['c']);
    expect(await lists.queuedOfPrinter(PRINTER_ID, { limit: 1, after: second.next! })).toEqual({ jobs: [] });
  });

  it('finds what waits for a printer: queued, leased or with a scheduled retry', async () => {
    const waiting = new ViewJobLists(
      viewOfJobs(
        { events: the.withAgent },
        { events: the.failedOnce },
        { events: the.taken },
        { events: the.waiting },
        { events: [...the.waiting, the.moved()] },
      ),
    );
    const first = await waiting.waitingOfPrinter(ACCOUNT_ID, PRINTER_ID, { limit: 2 });
    expect(names(first.jobs)).toEqual(['a', 'b']);
    const second = await waiting.waitingOfPrinter(ACCOUNT_ID, PRINTER_ID, { limit: 2, after: first.next! });
    expect(names(second.jobs)).toEqual(['d']);
    expect(await waiting.waitingOfPrinter('another account', PRINTER_ID, { limit: 2 })).toEqual({ jobs: [] });
    expect(names((await waiting.queuedOfPrinter(the.printerIdOf(1), { limit: 2 })).jobs)).toEqual(['e']);
  });

  it('finds the leases that count against the limit of a computer', async () => {
    expect(await lists.leasesOfComputer(COMPUTER_ID)).toEqual([
      { jobId: 'a', leaseId: leaseIdOf(1), printerId: PRINTER_ID },
      { jobId: 'd', leaseId: leaseIdOf(1), printerId: PRINTER_ID },
    ]);
  });

  it('finds the leasable jobs of one printer or of all', async () => {
    const of = { accountId: ACCOUNT_ID, printerId: PRINTER_ID };
    expect(names(await lists.leasable(page, of))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(names(await lists.leasable({ limit: 2, offset: 4 }))).toEqual(['e', 'h']);
  });

  it('finds the job of the newest lease, even one that has ended', async () => {
    const lapsed = new ViewJobLists(viewOfJobs({ events: [...the.withAgent, the.lapsed()] }));
    expect(await lapsed.jobOfLease(COMPUTER_ID, leaseIdOf(1))).toEqual({ jobId: 'a', status: 'queued' });
    expect(await lapsed.jobOfLease('another computer', leaseIdOf(1))).toBeUndefined();
    expect(await lapsed.jobOfLease(COMPUTER_ID, leaseIdOf(2))).toBeUndefined();
  });
});

describe('listing jobs that ended before a time', () => {
  const failed = [...the.taken, the.failedForGood()];
  const lists = new ViewJobLists(
    viewOfJobs(
      { events: [...the.done, the.purged] },
      { events: the.waiting },
      { events: the.done },
      { events: [...failed, the.purged] },
      { events: [...the.done, the.purged, the.archived] },
      { events: [...the.waiting, the.expired(), the.purged] },
    ),
  );
  const last = the.seconds(3_600);

  it('finds those at rest whose document is deleted, oldest first, page by page', async () => {
    expect(await lists.endedBefore(last, { limit: 10 })).toEqual({ jobIds: ['a', 'd', 'f'] });
    const first = await lists.endedBefore(last, { limit: 2 });
    expect(first).toEqual({ jobIds: ['a'], next: expect.any(String) });
    const second = await lists.endedBefore(last, { limit: 2, after: first.next! });
    expect(second.jobIds).toEqual(['d']);
    expect(await lists.endedBefore(last, { limit: 2, after: second.next! })).toEqual({ jobIds: ['f'] });
  });

  it('ends at the first job that was created later', async () => {
    const ended = the.done.length - 1;
    expect((await lists.endedBefore(the.seconds(ended), { limit: 2 })).jobIds).toEqual([]);
    expect(await lists.endedBefore(the.seconds(ended + 1), { limit: 2 })).toEqual({ jobIds: ['a'] });
  });
});

describe('listing jobs of accounts', () => {
  const restored = the.inReview.map((event) =>
    event.type === 'ManualReviewOpened'
      ? { ...event, data: { ...event.data, failureCode: 'RESTORED' as const } }
      : event,
  );
  const lists = new ViewJobLists(
    viewOfJobs(
      { events: the.waiting },
      { events: the.done },
      { events: the.withAgent },
      { events: the.taken },
      { events: the.inReview },
      { events: restored, of: { accountId: 'another account' } },
      { events: the.waiting, of: { accountId: 'another account' } },
    ),
  );

  it('finds the cancellable jobs of an account', async () => {
    expect(names(await lists.cancellableOfAccount(ACCOUNT_ID, page))).toEqual(['a', 'c']);
  });

  it('finds the jobs in review of all accounts, with the time of the restore that parked them', async () => {
    const [other, parked] = await lists.inReview(page);
    expect(other).toMatchObject({ jobId: 'e', restoredAt: undefined });
    expect(parked).toMatchObject({ jobId: 'f', restoredAt: expect.stringContaining('2026-11-21') });
  });

  it('counts the jobs created by an account in a month', async () => {
    expect(await lists.countCreatedInMonth(ACCOUNT_ID, '2026-11')).toBe(5);
    expect(await lists.countCreatedInMonth(ACCOUNT_ID, '2026-12')).toBe(0);
  });

  it('finds which documents are still needed', async () => {
    expect([...(await lists.withContent(['a', 'b', 'unknown']))]).toEqual(['a', 'b']);
  });
});
