import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import * as pc from '../../../test/kit/examples/devices.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { LaggingEventStore } from '../../../test/kit/lagging-event-store.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { computers } from '../devices/index.js';
import type { JobCommand } from './domain/job.commands.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { makeJobAggregate } from './job.aggregate.js';
import { RequeueForRetryHandler, SuspectClonesHandler } from './requeue-for-retry.handler.js';
import { SuspectClones } from './coordinated.commands.js';
import { TestViews } from '../../../test/kit/views.js';

const by = { actor: { kind: 'process', id: 'auto-retry' }, correlationId: 'c' } as const;
const due = the.seconds(1000);

/** A job that failed because the restarted session reported `not_submitted`. */
async function world() {
  const views = new TestViews([jobViewProjection]);
  const store = new LaggingEventStore(views);
  const aggregates = new AggregateStore(store, new SystemRandomness());
  const job = makeJobAggregate(defaultJobPolicy);
  const ask = (command: JobCommand) => aggregates.execute(job, the.JOB_ID, command);
  const note = () => aggregates.execute(computers, pc.COMPUTER_ID, pc.noteReplaced());
  await aggregates.execute(computers, pc.COMPUTER_ID, pc.enrol());
  for (const sessionId of [the.SESSION_ID, the.NEXT_SESSION_ID]) {
    await aggregates.execute(computers, pc.COMPUTER_ID, pc.startSession({ sessionId }));
  }
  const session = the.calling({ sessionId: the.NEXT_SESSION_ID, predecessors: [the.SESSION_ID] });
  for (const command of [the.create(), the.grant(), the.accept(), the.handOff()]) await ask(command);
  await ask(the.report('not_submitted', {}, { session }));
  const requeueing = new RequeueForRetryHandler(job, aggregates);
  const suspecting = new SuspectClonesHandler(job, aggregates, new ViewJobLists(views.store), store);
  return {
    note,
    requeue: () => requeueing.execute(the.requeue(1, due)),
    suspect: () => suspecting.execute(new SuspectClones({ computerId: pc.COMPUTER_ID, at: due, by })),
    last: async () => (await store.load(the.JOB_STREAM)).at(-1),
  };
}

const suspected = { type: 'ManualReviewOpened', data: { failureCode: 'CLONE_SUSPECTED' } };

describe('retrying a job that a restarted agent reported as unprinted', () => {
  it('requeues it if the older session is silent', async () => {
    const { requeue, suspect, last } = await world();
    await suspect();
    await requeue();
    expect(await last()).toMatchObject({ type: 'JobRequeued' });
  });

  it('parks it if the older session has called, even before any check of the job', async () => {
    const { note, requeue, last } = await world();
    await note();
    await requeue();
    expect(await last()).toMatchObject(suspected);
  });

  it('is abandoned as soon as the older session calls, despite a lagging list', async () => {
    const { note, suspect, requeue, last } = await world();
    await note();
    await suspect();
    expect(await last()).toMatchObject(suspected);
    await requeue();
    expect(await last()).toMatchObject(suspected);
  });
});
