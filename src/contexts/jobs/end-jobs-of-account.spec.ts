import { computersProjection } from '../../../projections/computers/computers.projection.js';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { NOON } from '../../../test/kit/recorded.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { accounts, CloseAccount, OpenAccount } from '../accounts/index.js';
import { details } from '../../../test/kit/examples/accounts.js';
import { AcceptJob, CreateJob, GrantLease } from './domain/job.commands.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { EndJobsOfAccount } from './coordinated.commands.js';
import { EndJobsOfAccountHandler } from './close-account.handlers.js';
import { makeJobAggregate } from './job.aggregate.js';
import { TestViews } from '../../../test/kit/views.js';

const by = { actor: { kind: 'process', id: 'account-closure' }, correlationId: 'c' } as const;
const JOBS = 250;
const idOf = (n: number) => `job-of-test-${n}`;

/** A closed account with jobs. Every third is leased, every fifteenth accepted. */
async function closedAccount() {
  const views = new TestViews([jobViewProjection, computersProjection]);
  const store = new LaggingEventStore(views);
  const aggregates = new AggregateStore(store, new SystemRandomness());
  const job = makeJobAggregate(defaultJobPolicy);
  const account = (command: OpenAccount | CloseAccount) =>
    aggregates.execute(accounts, the.ACCOUNT_ID, command);

  const create = async (n: number) => {
    const id = idOf(n);
    await aggregates.execute(job, id, new CreateJob({ jobId: id, job: the.description, at: NOON, by }));
    if (n % 3 > 0) return;
    const { COMPUTER_ID: computer, SESSION_ID: session } = the;
    await aggregates.execute(
      job,
      id,
      new GrantLease({
        jobId: id,
        leaseId: `lease-${n}`,
        printerId: the.PRINTER_ID,
        computerId: computer,
        sessionId: session,
        at: NOON,
        by,
      }),
    );
    if (n % 5 > 0) return;
    const { contentHash } = the.description;
    const accept = new AcceptJob({
      jobId: id,
      computerId: computer,
      session: the.calling(),
      leaseId: `lease-${n}`,
      fence: 1,
      contentHash,
      at: NOON,
      by,
    });
    await aggregates.execute(job, id, accept);
  };

  await account(new OpenAccount({ accountId: the.ACCOUNT_ID, details, at: NOON, by }));
  await account(new CloseAccount({ accountId: the.ACCOUNT_ID, reason: 'moved away', at: NOON, by }));
  for (let n = 0; n < JOBS; n++) await create(n);
  const lists = new ViewJobLists(views.store);
  const handler = () =>
    new EndJobsOfAccountHandler(job, aggregates, lists, new ComputerQueries(views.store), store);
  const lastOf = async (n: number) => (await store.load(`job-${idOf(n)}`)).at(-1)!.type;
  return { handler, lasts: () => Promise.all(Array.from({ length: JOBS }, (_, n) => lastOf(n))) };
}

const command = new EndJobsOfAccount({ accountId: the.ACCOUNT_ID, at: NOON, by });
const ends = Array.from({ length: JOBS }, (_, n) => (n % 15 === 0 ? 'JobAccepted' : 'JobCancelled'));

describe('ending the jobs of a closed account', () => {
  it('stops after about the requested number of jobs', async () => {
    const { handler, lasts } = await closedAccount();
    await handler().end(command, 120);

    const cancelled = (await lasts()).filter((type) => type === 'JobCancelled').length;
    expect(cancelled).toBeGreaterThanOrEqual(120);
    expect(cancelled).toBeLessThan(ends.filter((type) => type === 'JobCancelled').length);
  });

  it('cancels all jobs that no agent has accepted, despite a lagging view, then settles the account', async () => {
    const { handler, lasts } = await closedAccount();
    const outcome = await handler().execute(command);

    expect(outcome).toMatchObject({ ok: true, events: [{ type: 'AccountSettled' }] });
    expect(await lasts()).toEqual(ends);
  });

  it('settles the account after the last job, even for concurrent requests', async () => {
    const { handler, lasts } = await closedAccount();
    const [first, second] = [handler().execute(command), handler().execute(command)];
    await Promise.race([first, second]);

    expect(await lasts()).toEqual(ends);
    await Promise.all([first, second]);
  });
});
