import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/jobs.js';
import { makeJobDecider } from './job.decider.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));

describe('parking a job of a restored store', () => {
  it.each([
    ['leased', the.withAgent],
    ['accepted', the.taken],
    ['handed off', the.handing],
    ['waiting for its retry', the.failedOnce],
  ])('parks a job that is %s', (_, past) => {
    given(...past)
      .when(the.parkRestored())
      .then(the.restored());
  });

  it('parks a queued job, which has no lease', () => {
    given(...the.waiting)
      .when(the.parkRestored())
      .then(the.restoredUnleased);
  });

  it('uses another reason if the time of the backup is unknown', () => {
    const message = 'The store of the service went back in time; this job may have been printed since.';
    given(...the.taken)
      .when(the.parkRestored(null))
      .then(the.restored({ message }));
  });

  it('writes nothing for a final job, for a job at the spooler, or when repeated', () => {
    for (const past of [the.printing, the.done, the.inReview, [...the.taken, the.restored()]]) {
      given(...past)
        .when(the.parkRestored())
        .thenNothing();
    }
  });

  it('leaves the retry to the operator', () => {
    const parked = [...the.failedOnce, the.restored()];
    given(...parked)
      .when(the.requeue(1, the.seconds(60)))
      .thenNothing();
    given(...parked)
      .when(the.retry())
      .then({
        type: 'JobRequeued',
        data: { cause: 'manual', retryCount: 1, expiresAt: the.seconds(3 * the.DAY) },
      });
  });

  it('invalidates the lease', () => {
    const parked = [...the.taken, the.restored()];
    given(...parked)
      .when(the.handOff())
      .thenRejected('LeaseLost');
  });
});
