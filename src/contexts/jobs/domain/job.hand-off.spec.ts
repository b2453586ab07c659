import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/jobs.js';
import { makeJobDecider } from './job.decider.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds, DAY } = the;

describe('asking for the hand-off permit', () => {
  it('starts the hand-off', () => {
    given(...the.taken)
      .when(the.handOff())
      .then(the.handedOff());
    expect(given(...the.handing).state()).toMatchObject({ status: 'accepted_by_agent' });
  });

  it('can be repeated while the lease is valid', () => {
    given(...the.handing)
      .when(the.handOff())
      .thenNothing();
    given(...the.handing)
      .when(the.handOff(1, seconds(2 * DAY)))
      .thenNothing();
  });

  it('is refused once the lease is lost', () => {
    for (const past of [the.failedOnce, the.printing, the.unconfirmed, the.done]) {
      given(...past)
        .when(the.handOff())
        .thenRejected('LeaseLost');
    }
  });

  it('is refused under an older fence', () => {
    given(...the.failedOnce, the.requeued(), the.leased(2), the.accepted(2))
      .when(the.handOff(1))
      .thenRejected('LeaseLost');
  });

  it('is refused before accept', () => {
    given(...the.withAgent)
      .when(the.handOff())
      .thenRejected('JobNotAccepted');
  });

  it('is refused to another computer', () => {
    given(...the.taken)
      .when(the.handOff(1, seconds(0), 'another computer'))
      .thenRejected('JobNotFound');
  });

  it('expires the job from its expiry on', () => {
    const expiry = [the.invalidated('expired'), the.expired()];
    given(...the.taken)
      .when(the.handOff(1, seconds(DAY)))
      .then(...expiry);
    given(...the.taken, ...expiry)
      .when(the.handOff(1, seconds(DAY)))
      .thenRejected('JobExpired');
    given(...the.taken)
      .when(the.handOff(1, seconds(DAY - 0.001)))
      .then(the.handedOff(1, seconds(DAY - 0.001)));
  });
});

describe('silence of the agent after the hand-off', () => {
  const review = the.parked({
    failureCode: 'HANDOFF_UNCONFIRMED',
    message: 'No report says whether the spooler has the document.',
  });

  it('parks the job', () => {
    given(...the.handing)
      .when(the.handoffSilence())
      .then(review);
  });

  it('is ignored after any report', () => {
    for (const past of [the.printing, the.done, the.unconfirmed]) {
      given(...past)
        .when(the.handoffSilence())
        .thenNothing();
    }
    given(...the.handing)
      .when(the.handoffSilence(2))
      .thenNothing();
    given(...the.taken)
      .when(the.handoffSilence())
      .thenNothing();
  });
});

describe('silence of the spooler', () => {
  const review = the.parked({
    failureCode: 'SPOOLER_SILENT',
    message: 'No report says what the spooler did with the document.',
  });

  it('parks the job', () => {
    given(...the.printing)
      .when(the.spoolSilence())
      .then(review);
  });

  it('is ignored after any report', () => {
    for (const past of [the.done, the.inReview, the.handing]) {
      given(...past)
        .when(the.spoolSilence())
        .thenNothing();
    }
  });
});

describe('parking a job', () => {
  it('gives operators a review window', () => {
    given(...the.handing)
      .when(the.handoffSilence(1, seconds(DAY)))
      .then(
        the.parked({
          failureCode: 'HANDOFF_UNCONFIRMED',
          message: 'No report says whether the spooler has the document.',
          expiresAt: seconds(4 * DAY),
        }),
      );
  });

  it('does not shorten a longer life', () => {
    const expiresAt = seconds(30 * DAY);
    const created = { ...the.created, data: { ...the.created.data, expiresAt } };
    given(created, the.queued, the.leased(), the.accepted(), the.handedOff())
      .when(the.report('spooler_vanished'))
      .then(the.parked({ reportId: 'report-spooler_vanished', expiresAt }));
  });
});
