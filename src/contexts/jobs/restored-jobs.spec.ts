import { Logger } from '@nestjs/common';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import { details } from '../../../test/kit/examples/accounts.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { NOON } from '../../../test/kit/recorded.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { plus } from '../../kernel/time.js';
import type { EventStore } from '../../event-sourcing/ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { accounts, CloseAccount, OpenAccount } from '../accounts/index.js';
import { AcceptJob, CancelJob, CreateJob, GrantLease } from './domain/job.commands.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { makeJobAggregate } from './job.aggregate.js';
import { ParkRestoredJobs, ReleaseRestoredJobs } from './coordinated.commands.js';
import { ParkRestoredJobsHandler, ReleaseRestoredJobsHandler } from './restored-jobs.handlers.js';
import { TestViews } from '../../../test/kit/views.js';
import { CorruptEventError } from '../../kernel/errors.js';

const by = { actor: { kind: 'process', id: 'restore' }, correlationId: 'c' } as const;
const BACKUP = plus(NOON, -3_600_000);
const RESTORE = plus(NOON, 60_000);
const OTHER_ACCOUNT = '01990000-0000-7000-8000-0000000000f2';
/** More than two pages of the handler. */
const JOBS = 250;
const idOf = (n: number) => `job-of-test-${n}`;

describe('the jobs of a restored store', () => {
  const job = makeJobAggregate(defaultJobPolicy);
  let store: LaggingEventStore;
  let aggregates: AggregateStore;
  let lists: ViewJobLists;
  let parking: ParkRestoredJobsHandler;
  let releasing: ReleaseRestoredJobsHandler;

  beforeEach(async () => {
    const views = new TestViews([jobViewProjection]);
    store = new LaggingEventStore(views);
    aggregates = new AggregateStore(store, new SystemRandomness());
    lists = new ViewJobLists(views.store);
    parking = new ParkRestoredJobsHandler(job, aggregates, lists, store);
    releasing = new ReleaseRestoredJobsHandler(job, aggregates, lists, store);
    for (const id of [the.ACCOUNT_ID, OTHER_ACCOUNT])
      await aggregates.execute(accounts, id, new OpenAccount({ accountId: id, details, at: NOON, by }));
  });

  const create = (n: number, accountId = n % 2 ? the.ACCOUNT_ID : OTHER_ACCOUNT) =>
    aggregates.execute(
      job,
      idOf(n),
      new CreateJob({ jobId: idOf(n), job: { ...the.description, accountId }, at: NOON, by }),
    );
  const lease = async (n: number) => {
    const { COMPUTER_ID: computer, SESSION_ID: session } = the;
    await aggregates.execute(
      job,
      idOf(n),
      new GrantLease({
        jobId: idOf(n),
        leaseId: `l-${n}`,
        printerId: the.PRINTER_ID,
        computerId: computer,
        sessionId: session,
        at: NOON,
        by,
      }),
    );
  };
  const accept = (n: number) => {
    const hash = the.description.contentHash;
    return aggregates.execute(
      job,
      idOf(n),
      new AcceptJob({
        jobId: idOf(n),
        computerId: the.COMPUTER_ID,
        session: the.calling(),
        leaseId: `l-${n}`,
        fence: 1,
        contentHash: hash,
        at: NOON,
        by,
      }),
    );
  };
  const statusOf = async (n: number) => (await aggregates.load(job, idOf(n))).state.status;
  const park = (at = RESTORE) => parking.execute(new ParkRestoredJobs({ backupAt: BACKUP, at, by }));
  const release = (parkedBefore: string, at = plus(RESTORE, 60_000)) =>
    releasing.execute(new ReleaseRestoredJobs({ parkedBefore, at, by }));

  it('are parked in every account, except final ones, despite a lagging view', async () => {
    for (let n = 0; n < JOBS; n++) {
      await create(n);
      if (n % 3 === 0) await lease(n);
      if (n % 15 === 0) await accept(n);
    }
    await aggregates.execute(job, idOf(1), new CancelJob({ jobId: idOf(1), at: NOON, by }));

    expect(await park()).toEqual({ parked: JOBS - 1 });
    for (let n = 0; n < JOBS; n++) expect(await statusOf(n)).toBe(n === 1 ? 'cancelled' : 'manual_review');
    const [opened] = (await store.load(`job-${idOf(2)}`)).slice(-1);
    expect(opened!.data).toMatchObject({ failureCode: 'RESTORED', message: expect.stringContaining(BACKUP) });
  });

  it('are parked except unreadable ones, which are never leased', async () => {
    Logger.overrideLogger(false);
    for (const n of [1, 2, 3]) await create(n);
    const load: EventStore['load'] = (stream, options) =>
      stream === `job-${idOf(2)}`
        ? Promise.reject(new CorruptEventError(stream, 0, '1'))
        : store.load(stream, options);
    const damaged = Object.assign(Object.create(store) as EventStore, { load });
    const readers = new AggregateStore(damaged, new SystemRandomness());
    const parkingOthers = new ParkRestoredJobsHandler(job, readers, lists, store);

    expect(await parkingOthers.execute(new ParkRestoredJobs({ backupAt: BACKUP, at: RESTORE, by }))).toEqual({
      parked: 2,
    });
    expect((await readers.load(job, idOf(1))).state.status).toBe('manual_review');
    expect(await statusOf(2)).toBe('queued');
  });

  it('are parked once, however often the start repeats', async () => {
    await create(1);
    await park();
    const before = store.everything().length;
    expect(await park()).toEqual({ parked: 0 });
    expect(store.everything()).toHaveLength(before);
  });

  it('are all requeued on request', async () => {
    for (let n = 0; n < JOBS; n++) await create(n);
    await park();
    expect(await release(plus(RESTORE, 1))).toEqual({ released: JOBS, skipped: 0 });
    for (let n = 0; n < JOBS; n++) expect(await statusOf(n)).toBe('queued');
    expect(await release(plus(RESTORE, 1))).toEqual({ released: 0, skipped: 0 });
    const [requeued] = (await store.load(`job-${idOf(0)}`)).slice(-1);
    expect(requeued!.data).toMatchObject({ cause: 'manual', reason: 'released after a restore' });
  });

  it('stay parked if parked at the given time or later', async () => {
    await create(1);
    await park();
    expect(await release(RESTORE)).toEqual({ released: 0, skipped: 0 });
    expect(await statusOf(1)).toBe('manual_review');
  });

  it('are skipped if expired or if their account is closed', async () => {
    await create(1);
    await create(2);
    await park();
    await aggregates.execute(
      accounts,
      OTHER_ACCOUNT,
      new CloseAccount({ accountId: OTHER_ACCOUNT, reason: 'moved', at: NOON, by }),
    );
    expect(await release(plus(RESTORE, 1))).toEqual({ released: 1, skipped: 1 });
    expect([await statusOf(1), await statusOf(2)]).toEqual(['queued', 'manual_review']);

    await park(plus(RESTORE, 120_000));
    const muchLater = plus(RESTORE, 30 * 86_400_000);
    expect(await release(muchLater, muchLater)).toEqual({ released: 0, skipped: 2 });
  });
});
