import * as the from '../../../../test/kit/examples/jobs.js';
import { storyOf } from '../../../../test/kit/decider.js';
import { makeJobDecider } from './job.decider.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds, DAY } = the;

describe('creating a job', () => {
  it('stores what identifies it, then queues it', () => {
    given().when(the.create()).then(the.created, the.queued);
  });

  it('keeps the expiry that was asked for', () => {
    const expiresAt = seconds(3600);
    given()
      .when(the.create(expiresAt))
      .then({ ...the.created, data: { ...the.created.data, expiresAt } }, the.queued);
  });

  it('writes nothing the second time', () => {
    given(...the.waiting)
      .when(the.create())
      .thenNothing();
    given(...the.done)
      .when(the.create())
      .thenNothing();
  });

  it('comes before everything else', () => {
    for (const command of [the.grant(), the.cancel(), the.retry(), the.expire(), the.report('spooled')]) {
      given().when(command).thenRejected('JobNotFound');
    }
  });
});

describe('cancelling a job', () => {
  it('ends a queued job', () => {
    given(...the.waiting)
      .when(the.cancel('ordered twice'))
      .then(the.cancelled('ordered twice'));
    given(the.created).when(the.cancel()).then(the.cancelled());
  });

  it('takes the lease away before it ends a leased job', () => {
    given(...the.withAgent)
      .when(the.cancel())
      .then(the.invalidated('cancelled'), the.cancelled());
  });

  it.each([
    ['accepted_by_agent', the.taken],
    ['accepted_by_agent', the.handing],
    ['sent_to_spooler', the.printing],
    ['spooler_completed', the.done],
    ['manual_review', the.inReview],
    ['failed', the.failedOnce],
    ['cancelled', [...the.waiting, the.cancelled()]],
    ['expired', [...the.waiting, the.expired()]],
  ])('is refused in %s', (status, past) => {
    given(...past)
      .when(the.cancel())
      .thenRejected('JobNotCancellable', { status });
  });

  it('and accepting have one winner', () => {
    given(...the.withAgent, the.invalidated('cancelled'), the.cancelled())
      .when(the.accept())
      .thenRejected('LeaseLost');
    given(...the.taken)
      .when(the.cancel())
      .thenRejected('JobNotCancellable');
  });
});

describe('retrying a job by hand', () => {
  const again = {
    type: 'JobRequeued',
    data: { cause: 'manual', retryCount: 1, expiresAt: seconds(DAY) },
  } as const;

  it('queues a temporary failure, before its automatic retry or after the last', () => {
    given(...the.failedOnce)
      .when(the.retry())
      .then(again);
    given(...the.taken, the.exhausted())
      .when(the.retry())
      .then(again);
  });

  it('queues a parked job, and says why', () => {
    const data = { ...again.data, reason: 'tray was empty', expiresAt: seconds(3 * DAY) };
    given(...the.inReview)
      .when(the.retry('tray was empty'))
      .then({ ...again, data });
  });

  it('counts on', () => {
    const data = { ...again.data, retryCount: 3 };
    given(...the.waiting, the.requeued(2), the.leased(1), the.accepted(1), ...the.failedTemporarily())
      .when(the.retry())
      .then({ ...again, data });
  });

  it.each([
    ['leased', the.withAgent],
    ['accepted_by_agent', the.taken],
    ['sent_to_spooler', the.printing],
    ['spooler_completed', the.done],
  ])('is a risk of printing twice in %s', (status, past) => {
    given(...past)
      .when(the.retry())
      .thenRejected('RetryDuplicationRisk', { status });
  });

  it.each([
    ['created', [the.created]],
    ['queued', the.waiting],
    ['cancelled', [...the.waiting, the.cancelled()]],
    ['expired', [...the.waiting, the.expired()]],
    ['failed', [...the.printing, the.failedForGood()]],
  ])('is refused in %s that is not to be retried', (status, past) => {
    given(...past)
      .when(the.retry())
      .thenRejected('JobNotRetryable', { status });
  });

  it('is refused from the expiry on', () => {
    const last = seconds(DAY - 0.001);
    given(...the.taken, the.exhausted())
      .when(the.retry(undefined, last))
      .then(again);
    given(...the.taken, the.exhausted())
      .when(the.retry(undefined, seconds(DAY)))
      .thenRejected('JobNotRetryable');
    given(...the.inReview)
      .when(the.retry(undefined, seconds(3 * DAY)))
      .thenRejected('JobNotRetryable');
  });

  it('is refused without content', () => {
    given(...the.taken, the.exhausted(), the.purged)
      .when(the.retry())
      .thenRejected('JobNotRetryable');
  });

  it('gets a new fence', () => {
    given(...the.inReview, the.requeued(1, 'manual'))
      .when(the.grant(2))
      .then(the.leased(2));
  });
});

describe('retrying a job by itself', () => {
  it('queues it again when its time has come', () => {
    given(...the.failedOnce)
      .when(the.requeue(1, seconds(15)))
      .then(the.requeued(1));
  });

  it('is not done early', () => {
    given(...the.failedOnce)
      .when(the.requeue(1, seconds(14.999)))
      .thenNothing();
  });

  it('ends the job at once when nobody prints for its account any more', () => {
    const contentUntil = seconds(15 + the.DAY);
    given(...the.failedOnce)
      .when(the.endRetry(1, seconds(15)))
      .then(the.requeued(1), { type: 'JobCancelled', data: { reason: 'account_closed', contentUntil } });
    given(...the.failedOnce)
      .when(the.endRetry(1, seconds(14.999)))
      .thenNothing();
    given(...the.failedOnce, the.requeued(1))
      .when(the.endRetry(1, seconds(15)))
      .thenNothing();
  });

  it('is harmless late, twice or for an older attempt', () => {
    given(...the.failedOnce, the.requeued(1))
      .when(the.requeue(1, seconds(15)))
      .thenNothing();
    given(...the.failedOnce)
      .when(the.requeue(0, seconds(15)))
      .thenNothing();
    given(...the.taken, the.exhausted())
      .when(the.requeue(1, seconds(15)))
      .thenNothing();
  });

  it('ends the job when it has expired meanwhile', () => {
    given(...the.failedOnce)
      .when(the.requeue(1, seconds(DAY)))
      .then(the.expired());
  });
});

describe('expiring a job', () => {
  it.each([
    ['queued', the.waiting],
    ['failed with a retry scheduled', the.failedOnce],
  ])('ends it when it is %s', (_, past) => {
    given(...past)
      .when(the.expire())
      .then(the.expired());
  });

  it.each([
    ['leased', the.withAgent],
    ['accepted before the hand-off', the.taken],
  ])('takes the lease away first when it is %s', (_, past) => {
    given(...past)
      .when(the.expire())
      .then(the.invalidated('expired'), the.expired());
  });

  it('ends a parked job after its review window', () => {
    given(...the.inReview)
      .when(the.expire(seconds(DAY)))
      .thenNothing();
    given(...the.inReview)
      .when(the.expire(seconds(3 * DAY)))
      .then(the.expired(seconds(3 * DAY)));
  });

  it('happens at the expiry, not before', () => {
    given(...the.waiting)
      .when(the.expire(seconds(DAY - 0.001)))
      .thenNothing();
  });

  it.each([
    ['after the hand-off', the.handing],
    ['in the spooler', the.printing],
    ['completed', the.done],
    ['failed for good', [...the.printing, the.failedForGood()]],
    ['failed too often', [...the.taken, the.exhausted()]],
    ['cancelled', [...the.waiting, the.cancelled()]],
    ['expired', [...the.waiting, the.expired()]],
  ])('leaves it alone when it is %s', (_, past) => {
    given(...past)
      .when(the.expire())
      .thenNothing();
  });
});

describe('purging the content', () => {
  it.each([
    ['completed', the.done],
    ['cancelled', [...the.waiting, the.cancelled()]],
    ['expired', [...the.waiting, the.expired()]],
    ['failed for good', [...the.printing, the.failedForGood()]],
  ])('is recorded for a job that is %s', (_, past) => {
    given(...past)
      .when(the.purge())
      .then(the.purged);
    given(...past, the.purged)
      .when(the.purge())
      .thenNothing();
  });

  it.each([
    ['queued', the.waiting],
    ['in the spooler', the.printing],
    ['parked', the.inReview],
    ['to be retried', the.failedOnce],
  ])('waits while the job is %s', (_, past) => {
    given(...past)
      .when(the.purge(seconds(9 * DAY)))
      .thenNothing();
  });

  it('waits until a person can no longer retry a failure', () => {
    given(...the.taken, the.exhausted())
      .when(the.purge(seconds(DAY - 0.001)))
      .thenNothing();
    given(...the.taken, the.exhausted())
      .when(the.purge(seconds(DAY)))
      .then(the.purged);
  });
});
