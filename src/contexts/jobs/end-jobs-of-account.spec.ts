import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { NOON } from '../../../test/kit/recorded.js';
import { SystemRandomness } from '../../adapters/system/system-randomness.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { accounts, CloseAccount, OpenAccount } from '../accounts/index.js';
import { details } from '../../../test/kit/examples/accounts.js';
import { AcceptJob, CreateJob, GrantLease } from './domain/job.commands.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { EndJobsOfAccount } from './coordinated.commands.js';
import { EndJobsOfAccountHandler } from './end-jobs-of-account.handler.js';
import { makeJobAggregate } from './job.aggregate.js';
import { TestViews } from '../../../test/kit/views.js';

const by = { actor: { kind: 'process', id: 'account-closure' }, correlationId: 'c' } as const;
const JOBS = 250;
const idOf = (n: number) => `job-of-test-${n}`;

describe('ending the jobs of a closed account', () => {
  const views = new TestViews([jobViewProjection]);
  const store = new LaggingEventStore(views);
  const aggregates = new AggregateStore(store, new SystemRandomness());
  const job = makeJobAggregate(defaultJobPolicy);
  const lists = new ViewJobLists(views.store);

  /** Every third job is leased, every fifth of all accepted. */
  const create = async (n: number) => {
    const id = idOf(n);
    await aggregates.execute(job, id, new CreateJob(id, the.description, NOON, by));
    if (n % 3 > 0) return;
    const { COMPUTER_ID: computer, SESSION_ID: session } = the;
    await aggregates.execute(job, id, new GrantLease(id, `lease-${n}`, computer, session, NOON, by));
    if (n % 5 > 0) return;
    await aggregates.execute(
      job,
      id,
      new AcceptJob(id, computer, the.calling(), `lease-${n}`, 1, the.description.contentHash, NOON, by),
    );
  };

  it('cancels all jobs that no agent has accepted, despite a lagging view, then settles the account', async () => {
    await aggregates.execute(accounts, the.ACCOUNT_ID, new OpenAccount(the.ACCOUNT_ID, details, NOON, by));
    await aggregates.execute(
      accounts,
      the.ACCOUNT_ID,
      new CloseAccount(the.ACCOUNT_ID, 'moved away', NOON, by),
    );
    for (let n = 0; n < JOBS; n++) await create(n);

    const handler = new EndJobsOfAccountHandler(job, aggregates, lists, store);
    const outcome = await handler.execute(new EndJobsOfAccount(the.ACCOUNT_ID, NOON, by));

    expect(outcome).toMatchObject({ ok: true, events: [{ type: 'AccountSettled' }] });
    for (let n = 0; n < JOBS; n++) {
      const last = (await store.load(`job-${idOf(n)}`)).at(-1)!;
      expect(last.type).toBe(n % 15 === 0 ? 'JobAccepted' : 'JobCancelled');
    }
  });
});
