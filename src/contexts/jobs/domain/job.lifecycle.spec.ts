import * as the from '../../../../test/kit/examples/jobs.js';
import { storyOf } from '../../../../test/kit/decider.js';
import { makeJobDecider } from './job.decider.js';
import type { JobEvent } from './job.events.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds, DAY } = the;

describe('creating a job', () => {
  it('stores the description, then queues the job', () => {
    given().when(the.create()).then(the.created, the.queued);
  });

  it('stores the requested expiry', () => {
    const expiresAt = seconds(3600);
    given()
      .when(the.create(expiresAt))
      .then({ ...the.created, data: { ...the.created.data, expiresAt } }, the.queued);
  });

  it('writes nothing when repeated', () => {
    given(...the.waiting)
      .when(the.create())
      .thenNothing();
    given(...the.done)
      .when(the.create())
      .thenNothing();
  });

  it('is required before any other command', () => {
    for (const command of [the.grant(), the.cancel(), the.retry(), the.expire(), the.report('spooled')]) {
      given().when(command).thenRejected('JobNotFound');
    }
  });
});

describe('cancelling a job', () => {
  it('cancels a queued job', () => {
    given(...the.waiting)
      .when(the.cancel('ordered twice'))
      .then(the.cancelled('ordered twice'));
    given(the.created).when(the.cancel()).then(the.cancelled());
  });

  it('invalidates the lease before it cancels a leased job', () => {
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

  it('succeeds for only one of cancel and accept', () => {
    given(...the.withAgent, the.invalidated('cancelled'), the.cancelled())
      .when(the.accept())
      .thenRejected('LeaseLost');
    given(...the.taken)
      .when(the.cancel())
      .thenRejected('JobNotCancellable');
  });
});

describe('retrying a job manually', () => {
  const again = {
    type: 'JobRequeued',
    data: { cause: 'manual', retryCount: 1, expiresAt: seconds(DAY) },
  } as const;

  it('requeues a temporary failure, before its automatic retry or after the last', () => {
    given(...the.failedOnce)
      .when(the.retry())
      .then(again);
    given(...the.taken, the.exhausted())
      .when(the.retry())
      .then(again);
  });

  it('requeues a parked job, with the reason', () => {
    const data = { ...again.data, reason: 'tray was empty', expiresAt: seconds(3 * DAY) };
    given(...the.inReview)
      .when(the.retry('tray was empty'))
      .then({ ...again, data });
  });

  it('continues the count of retries', () => {
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
  ])('is refused as a duplication risk in %s', (status, past) => {
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
  ])('is refused in %s', (status, past) => {
    given(...past)
      .when(the.retry())
      .thenRejected('JobNotRetryable', { status });
  });

  it('is refused once the job has expired', () => {
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

  it('does not reuse the fence of the previous lease', () => {
    given(...the.inReview, the.requeued(1, 'manual'))
      .when(the.grant(2))
      .then(the.leased(2));
  });
});

describe('retrying a job automatically', () => {
  it('requeues it when due', () => {
    given(...the.failedOnce)
      .when(the.requeue(1, seconds(15)))
      .then(the.requeued(1));
  });

  it('does nothing before it is due', () => {
    given(...the.failedOnce)
      .when(the.requeue(1, seconds(14.999)))
      .thenNothing();
  });

  it('cancels the job if the account is closed', () => {
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

  it('changes nothing if late, repeated or for an older attempt', () => {
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

  it('expires the job if it expired meanwhile', () => {
    given(...the.failedOnce)
      .when(the.requeue(1, seconds(DAY)))
      .then(the.expired());
  });
});

describe('archiving a job', () => {
  it.each<[string, JobEvent[]]>([
    ['completed', the.done],
    ['cancelled', [...the.waiting, the.cancelled()]],
    ['expired', [...the.waiting, the.expired()]],
    ['failed for good', [...the.taken, the.failedForGood()]],
  ])('archives one that is %s once its document is deleted, and once only', (_, ended) => {
    given(...ended)
      .when(the.archive())
      .thenNothing();
    given(...ended, the.purged)
      .when(the.archive())
      .then(the.archived);
    given(...ended, the.purged, the.archived)
      .when(the.archive())
      .thenNothing();
  });

  it.each<[string, JobEvent[]]>([
    ['waits', the.waiting],
    ['is printing', the.printing],
    ['waits for a decision', the.inReview],
    ['waits for a retry', the.failedOnce],
  ])('keeps one that %s', (_, events) => {
    given(...events)
      .when(the.archive(seconds(400 * DAY)))
      .thenNothing();
  });

  it('refuses and records as before', () => {
    const archived = [...the.done, the.purged, the.archived];
    given(...archived)
      .when(the.cancel())
      .thenRejected('JobNotCancellable');
    given(...archived)
      .when(the.retry())
      .thenRejected('RetryDuplicationRisk');
    given(...archived)
      .when(the.report('spooler_failed', { id: 'report-late' }))
      .then(the.recordedLate('report-late', 'spooler_failed'));
  });
});

describe('expiring a job', () => {
  it.each([
    ['queued', the.waiting],
    ['failed with a retry scheduled', the.failedOnce],
  ])('expires it when it is %s', (_, past) => {
    given(...past)
      .when(the.expire())
      .then(the.expired());
  });

  it.each([
    ['leased', the.withAgent],
    ['accepted before the hand-off', the.taken],
  ])('invalidates the lease first when it is %s', (_, past) => {
    given(...past)
      .when(the.expire())
      .then(the.invalidated('expired'), the.expired());
  });

  it('expires a parked job after its review window', () => {
    given(...the.inReview)
      .when(the.expire(seconds(DAY)))
      .thenNothing();
    given(...the.inReview)
      .when(the.expire(seconds(3 * DAY)))
      .then(the.expired(seconds(3 * DAY)));
  });

  it('does nothing before the expiry', () => {
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
  ])('changes nothing when it is %s', (_, past) => {
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

  it('waits while a manual retry is possible', () => {
    given(...the.taken, the.exhausted())
      .when(the.purge(seconds(DAY - 0.001)))
      .thenNothing();
    given(...the.taken, the.exhausted())
      .when(the.purge(seconds(DAY)))
      .then(the.purged);
  });
});

describe('noting a reprint', () => {
  it('names the new job once, in any state', () => {
    for (const past of [the.waiting, the.done, the.inReview]) {
      given(...past)
        .when(the.noteReprint(1))
        .then(the.reprinted(1));
      given(...past, the.reprinted(1))
        .when(the.noteReprint(1))
        .thenNothing();
    }
    given(...the.done, the.reprinted(1))
      .when(the.noteReprint(2))
      .then(the.reprinted(2));
  });

  it('is refused after a hundred', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => the.reprinted(n));
    given(...the.done, ...hundred)
      .when(the.noteReprint(100))
      .thenRejected('TooManyReprints');
  });
});
