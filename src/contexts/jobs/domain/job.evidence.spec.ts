import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/jobs.js';
import { makeJobDecider } from './job.decider.js';
import type { JobEvent } from './job.events.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds } = the;

const REPORTED = 'The agent handed it to the spooler, and the service knows nothing of that.';
const JOURNALLED = "The agent's journal names a hand-off of which the service knows nothing.";
const unexpected = (more = {}, fence = 1, leaseId = the.leaseIdOf(fence)) =>
  the.parked({
    leaseId,
    fence,
    failureCode: 'UNEXPECTED_EVIDENCE',
    reportId: 'report-spooled',
    message: REPORTED,
    ...more,
  });
const completedLate = (fence = 1, leaseId = the.leaseIdOf(fence)): JobEvent => ({
  type: 'JobCompleted',
  data: {
    ...the.completed(fence, { late: true, reportId: 'report-spooler_completed' }).data,
    leaseId,
  } as Extract<JobEvent, { type: 'JobCompleted' }>['data'],
});
const believedUnprinted: [string, JobEvent[]][] = [
  ['leased', the.withAgent],
  ['accepted', the.taken],
  ['failed with a retry scheduled', the.failedOnce],
  ['queued after a lapse', [...the.withAgent, the.lapsed()]],
  ['queued after an automatic retry', [...the.failedOnce, the.requeued()]],
];

describe('evidence of a hand-off unknown to the service', () => {
  it.each(believedUnprinted)('parks a job that is %s', (_, past) => {
    given(...past)
      .when(the.report('spooled'))
      .then(unexpected());
  });

  it.each(believedUnprinted)('completes a job that is %s if the spooler completed it', (_, past) => {
    given(...past)
      .when(the.report('spooler_completed'))
      .then(completedLate());
  });

  it.each(believedUnprinted)('parks a job that is %s if the journal names it', (_, past) => {
    given(...past)
      .when(the.reconcile({ touched: true }))
      .then(unexpected({ reportId: undefined, message: JOURNALLED }));
  });

  it('counts even if this store never granted its lease and fence', () => {
    given(...the.waiting)
      .when(the.report('spooled', {}, { fence: 3 }))
      .then(unexpected({}, 3));
    given(...the.waiting)
      .when(the.report('spooler_vanished', {}, { fence: 3 }))
      .then(unexpected({ reportId: 'report-spooler_vanished' }, 3));
    given(...the.taken)
      .when(the.report('spooler_completed', {}, { leaseId: the.leaseIdOf(9) }))
      .then(completedLate(1, the.leaseIdOf(9)));
  });

  it('makes the next fence higher than its own', () => {
    given(...the.waiting, unexpected({}, 3), the.requeued(1, 'manual'))
      .when(the.grant(4))
      .then(the.leased(4));
  });

  it('does not undo a manual retry', () => {
    given(...the.inReview, the.requeued(1, 'manual'))
      .when(the.report('spooled', { id: 'again' }))
      .then(the.recordedLate('again', 'spooled'));
    given(...the.inReview, the.requeued(1, 'manual'))
      .when(the.reconcile({ touched: true }))
      .thenNothing();
  });

  it('is refused under an unknown lease once a newer lease was handed off', () => {
    for (const past of [the.handing, the.printing, the.done]) {
      given(...past)
        .when(the.report('spooled', { id: 'other' }, { leaseId: the.leaseIdOf(9) }))
        .thenRejected('LeaseLost');
    }
  });

  it('keeps the job out of the queue despite later reports', () => {
    given(...the.taken, unexpected())
      .when(the.report('not_submitted'))
      .then(the.recordedLate('report-not_submitted', 'not_submitted'));
    given(...the.taken, unexpected())
      .when(the.report('spooler_completed'))
      .then(completedLate());
  });

  it('clears the failure and its scheduled retry', () => {
    const state = given(...the.failedOnce, completedLate()).state();
    expect(state).toMatchObject({ status: 'spooler_completed' });
    expect([state.failureClass, state.nextAttemptAt]).toEqual([undefined, undefined]);
    given(...the.failedOnce, completedLate())
      .when(the.requeue(1, seconds(60)))
      .thenNothing();
  });
});

describe('evidence for a restored job that this store never leased', () => {
  const restored = [...the.waiting, the.restoredUnleased];

  it('completes the job or is only recorded', () => {
    given(...restored)
      .when(the.report('spooler_completed', {}, { fence: 2 }))
      .then(completedLate(2));
    given(...restored)
      .when(the.report('spooled', {}, { fence: 2 }))
      .then(the.recordedLate('report-spooled', 'spooled', 2));
  });

  it('never requeues the job', () => {
    given(...restored)
      .when(the.report('not_submitted', {}, { fence: 2 }))
      .thenRejected('LeaseLost');
    given(...the.taken, the.restored())
      .when(the.report('not_submitted'))
      .then(the.recordedLate('report-not_submitted', 'not_submitted'));
  });
});

describe('limits for one credential', () => {
  it('store at most 32 late results of a job', () => {
    const stored = Array.from({ length: 32 }, (_, n) => the.recordedLate(`report ${n}`, 'spooled'));
    const failed = [...the.printing, the.failedForGood()];
    given(...failed, ...stored.slice(1))
      .when(the.report('spooler_vanished'))
      .then(the.recordedLate('report-spooler_vanished', 'spooler_vanished'));
    given(...failed, ...stored)
      .when(the.report('spooler_vanished'))
      .thenRejected('LateResultNotKept');
    given(...failed, ...stored)
      .when(the.report('spooled', { id: 'report 31' }))
      .thenNothing();
  });

  const releases = (count: number) =>
    Array.from({ length: count }, (_, n) => [the.leased(n + 1), the.released(n + 1)]).flat();

  it.each([
    [4, undefined],
    [5, 1],
    [6, 2],
    [7, 4],
    [10, 32],
    [11, 60],
    [40, 60],
  ])('delay the grant after %i releases in a row by %s seconds', (count, wait) => {
    given(...the.waiting, ...releases(count - 1), the.leased(count))
      .when(the.release(count, { at: seconds(10) }))
      .then(the.released(count, wait === undefined ? undefined : seconds(10 + wait)));
  });

  it('refuse the grant until the delay is over', () => {
    const waiting = [...the.waiting, the.leased(), the.released(1, seconds(10))];
    given(...waiting)
      .when(the.grant(2, seconds(9)))
      .thenRejected('JobNotGrantableYet', { until: seconds(10) });
    given(...waiting)
      .when(the.grant(2, seconds(10)))
      .then(the.leased(2, seconds(10)));
  });

  it.each<[string, JobEvent[]]>([
    ['an accept', [the.leased(6), the.accepted(6), ...the.failedTemporarily({}, 6), the.requeued()]],
    ['a lapse', [the.leased(6), the.lapsed(6, 1)]],
  ])('start over after %s', (_, between) => {
    given(...the.waiting, ...releases(5), ...between, the.leased(7))
      .when(the.release(7))
      .then(the.released(7));
  });
});
