import * as the from '../../test/kit/examples/jobs.js';
import { queriesOfJobs } from '../../test/kit/job-views.js';
import { plus } from '../../src/kernel/time.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import type { EventStore } from '../../src/event-sourcing/ports/event-store.port.js';
import { recordedAt } from '../../test/kit/recorded.js';
import { TestViews } from '../../test/kit/views.js';
import type { PrinterDocument } from '../printers/printers.js';
import { jobViewProjection } from './job-view.projection.js';
import { jobHours, spooledWithin, type HourTotal } from './job-hours.js';
import { JobQueries } from './job-view.queries.js';

const HOUR = '2026-11-21T12';

describe('the time until the spooler', () => {
  it.each([
    [0, '100'],
    [100, '100'],
    [101, '250'],
    [61_000, '300000'],
    [8 * 86_400_000, 'longer'],
  ])('of %d ms counts below its bound', (ms, bound) => {
    expect(spooledWithin(the.seconds(0), plus(the.seconds(0), ms))).toBe(bound);
  });

  it('is that of the first attempt that reached the spooler', async () => {
    const story = [...the.printing, ...the.failedTemporarily(), the.requeued(), the.leased(2)];
    const { hours } = await queriesOfJobs({ events: story }).hours(the.seconds(0));
    expect(hours).toEqual([{ hour: HOUR, jobs: { leased: 1 }, p50: 50, p95: 95 }]);
  });
});

describe('jobs by hour', () => {
  const total = (
    within: string | null,
    n: number,
    listedAs: HourTotal['listedAs'] = 'spooler_completed',
  ) => ({
    hour: HOUR,
    listedAs,
    within,
    n,
  });

  it('are counted by the status that they have now, for one account or all', async () => {
    const jobs = queriesOfJobs(
      { events: the.done },
      { events: the.failedOnce },
      { events: [...the.taken, the.exhausted()] },
      { events: the.inReview, of: { accountId: 'another account' } },
    );
    const shown = async (accountId?: string) => (await jobs.hours(the.seconds(0), accountId)).hours;
    expect(await shown(the.ACCOUNT_ID)).toMatchObject([
      { hour: HOUR, jobs: { spooler_completed: 1, failed: 2 } },
    ]);
    expect(await shown()).toMatchObject([
      { hour: HOUR, jobs: { spooler_completed: 1, failed: 2, manual_review: 1 } },
    ]);
    expect((await jobs.hours(plus(the.seconds(0), 3_600_000))).hours).toEqual([]);
  });

  it('have percentiles between two bounds', () => {
    const { hours, p50, p95 } = jobHours([total('100', 50), total('250', 50), total(null, 9, 'queued')]);
    expect({ p50, p95 }).toEqual({ p50: 100, p95: 235 });
    expect(hours).toEqual([{ hour: HOUR, jobs: { spooler_completed: 100, queued: 9 }, p50, p95 }]);
  });

  it('have none without a job at the spooler, and the last bound beyond it', () => {
    expect(jobHours([total(null, 3, 'queued')])).toMatchObject({ p50: undefined, p95: undefined });
    expect(jobHours([total('longer', 3)])).toMatchObject({ p50: 86_400_000 });
  });

  it('are in the order of time', () => {
    const { hours } = jobHours([{ ...total('100', 1), hour: '2026-11-21T13' }, total('100', 2)]);
    expect(hours.map(({ hour }) => hour)).toEqual([HOUR, '2026-11-21T13']);
  });
});

describe('unfinished jobs by printer', () => {
  const views = new TestViews([jobViewProjection]);
  const jobs = new JobQueries(views.store, {} as EventStore);
  let position = 0;
  const create = (printerId: string, ...later: readonly JobEvent[]) => {
    const jobId = `job-${position}`;
    const created: JobEvent = { ...the.created, data: { ...the.created.data, jobId, printerId } };
    views.project(
      [created, ...later].map((event, revision) => ({
        ...recordedAt(the.seconds(position), `job-${jobId}`, revision, event),
        position: String(++position).padStart(20, '0'),
      })),
    );
  };

  it('are counted at every printer, first at those whose computer has jobs', async () => {
    for (let n = 0; n < 501; n++) create('busy', the.queued);
    create('small', the.queued);
    create('idle', the.queued, the.leased(1));
    create('done', ...the.done.slice(1));
    expect(await jobs.unfinishedByPrinter(the.ACCOUNT_ID)).toEqual([
      { printerId: 'idle', waiting: 0, held: 1 },
      { printerId: 'busy', waiting: 501, held: 0 },
      { printerId: 'small', waiting: 1, held: 0 },
    ]);
    expect(await jobs.unfinishedByPrinter('another account')).toEqual([]);
  });

  const printer = (printer_id: string, status = 'online') =>
    ({ printer_id, status, account_id: the.ACCOUNT_ID, updated_at: the.seconds(0) }) as PrinterDocument;
  const first = (of: PrinterDocument, counts: { waiting: number; held: number }) =>
    jobs.firstUnfinished(of, counts, plus(the.seconds(position), 600_000));

  it('are the first at the computer and the first queued, whatever is queued before them', async () => {
    const since = the.seconds(position + 1);
    for (let n = 0; n < 6; n++) create('one', the.queued);
    create('one', the.queued, the.leased(1));
    const { holdUp, waitingSince } = await first(printer('one'), { waiting: 6, held: 1 });
    expect(holdUp).toMatchObject({ job: { status: 'leased' } });
    expect(waitingSince).toBe(since);
    expect(await first({ ...printer('one'), account_id: 'another' }, { waiting: 6, held: 1 })).toEqual({});
  });

  it('are not read where the counts say that there are none', async () => {
    expect(await first(printer('one'), { waiting: 0, held: 0 })).toEqual({});
    const { holdUp } = await first(printer('one'), { waiting: 6, held: 0 });
    expect(holdUp).toMatchObject({ job: { status: 'queued' } });
  });

  it('do not hold a printer up that has just finished another', async () => {
    create('label printer', the.queued, the.leased(1));
    const { holdUp } = await first(printer('label printer'), { waiting: 0, held: 1 });
    expect(holdUp).toBeDefined();
    position += 600;
    create('label printer', ...the.done.slice(1));
    const now = plus(the.seconds(position), 200_000);
    const working = await jobs.firstUnfinished(printer('label printer'), { waiting: 0, held: 1 }, now);
    expect(working.holdUp).toBeUndefined();
  });
});
