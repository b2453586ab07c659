import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/jobs.js';
import type { CallingSession } from './job.commands.js';
import { makeJobDecider } from './job.decider.js';
import type { JobEvent } from './job.events.js';
import { defaultJobPolicy } from './job.policy.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds, NEXT_SESSION_ID, SESSION_ID } = the;

const restarted = the.calling({
  sessionId: NEXT_SESSION_ID,
  predecessors: [SESSION_ID],
  startedAt: seconds(100),
});
const clone = the.calling({ sessionId: NEXT_SESSION_ID, startedAt: seconds(100) });
const none = the.calling({ sessionId: undefined });
const succession = { permitSession: SESSION_ID, provenBy: NEXT_SESSION_ID };

const handOffBy = (session: CallingSession, at = seconds(100)) =>
  the.handOff(1, at, the.COMPUTER_ID, session);
const acceptBy = (session: CallingSession) =>
  the.accept(1, seconds(0), the.description.contentHash, the.COMPUTER_ID, session);
const reportBy = (session: CallingSession, type: 'not_submitted' | 'spooler_cancelled') =>
  the.report(type, {}, { session, at: seconds(100) });

/** After `not_submitted` of the restarted session: the retry waits for 40 s of silence of the older one. */
const failedOnSilence = (): JobEvent[] => [
  {
    type: 'JobFailed',
    data: {
      leaseId: the.leaseIdOf(1),
      fence: 1,
      failureClass: 'temporary',
      failureCode: 'NOT_SUBMITTED',
      reportId: 'report-not_submitted',
      succession,
      expiresAt: seconds(the.DAY),
      retryState: 'scheduled',
      nextAttemptAt: seconds(140),
    },
  },
  {
    type: 'RetryScheduled',
    data: { fence: 1, nextAttemptAt: seconds(140), retryDelaySeconds: 40, silenceMs: 40_000 },
  },
];

describe('a session that does not hold the lease', () => {
  it.each([
    ['clone', clone],
    ['restarted agent whose journal did not name it', restarted],
    ['agent without a session', none],
  ])('cannot accept, hand off or release: a %s', (_, session) => {
    given(...the.withAgent)
      .when(acceptBy(session))
      .thenRejected('LeaseLost');
    given(...the.withAgent)
      .when(the.release(1, { session }))
      .thenRejected('LeaseLost');
    given(...the.taken)
      .when(handOffBy(session))
      .thenRejected('LeaseLost');
  });
});

describe('naming a lease in the journal of a new session', () => {
  it.each([
    ['leased', the.withAgent],
    ['accepted', the.taken],
  ])('moves the lease to that session while the job is %s', (_, past) => {
    given(...past)
      .when(the.reconcile())
      .then(the.kept());
  });

  it('takes the lease from an older session', () => {
    given(...the.taken, the.kept())
      .when(the.handOff())
      .thenRejected('LeaseLost');
    given(...the.taken, the.kept())
      .when(handOffBy(clone))
      .then({
        type: 'HandoffStarted',
        data: {
          leaseId: the.leaseIdOf(1),
          fence: 1,
          sessionId: NEXT_SESSION_ID,
          startedAt: seconds(100),
          silentAt: seconds(700),
        },
      });
  });

  it('does not move the lease away from a newer session', () => {
    given(...the.taken, the.kept())
      .when(the.reconcile({}, { sessionId: 'between', replaced: [SESSION_ID] }))
      .thenNothing();
    given(...the.taken, the.kept())
      .when(the.voidLease(1, seconds(0), [SESSION_ID]))
      .thenNothing();
  });

  it('changes nothing once the job was handed off or released, or for another lease', () => {
    for (const past of [the.handing, [...the.withAgent, the.released()]]) {
      given(...past)
        .when(the.reconcile())
        .thenNothing();
    }
    given(...the.withAgent)
      .when(the.reconcile({ leaseId: the.leaseIdOf(9) }))
      .thenNothing();
    given(...the.withAgent)
      .when(the.reconcile({}, { computerId: 'another' }))
      .thenRejected('JobNotFound');
  });
});

describe('repeating the request for the permit', () => {
  it('succeeds for the session that has it', () => {
    given(...the.handing)
      .when(the.handOff())
      .thenNothing();
  });

  it('is refused for a clone', () => {
    given(...the.handing)
      .when(handOffBy(clone, seconds(9_000)))
      .thenRejected('LeaseLost');
  });

  it('succeeds for a restarted agent once the older session was silent for two heartbeats', () => {
    given(...the.handing)
      .when(handOffBy(restarted, seconds(139)))
      .thenRejected('LeaseLost');
    given(...the.handing)
      .when(handOffBy(restarted, seconds(140)))
      .thenNothing();
  });

  it('uses the session of the lease for a permit stored without one', () => {
    const { sessionId: _, ...data } = the.handedOff().data as { sessionId: string };
    const stored = { type: 'HandoffStarted', data } as JobEvent;
    given(...the.taken, stored)
      .when(the.handOff())
      .thenNothing();
    given(...the.taken, stored)
      .when(handOffBy(clone))
      .thenRejected('LeaseLost');
  });
});

describe('proving that nothing was printed', () => {
  it('delays the retry until the older session was silent, after a restart', () => {
    given(...the.handing)
      .when(reportBy(restarted, 'not_submitted'))
      .then(...failedOnSilence());
  });

  it.each(['not_submitted', 'spooler_cancelled'] as const)('is not accepted from a clone: %s', (type) => {
    given(...the.handing)
      .when(reportBy(clone, type))
      .then(
        the.parked({
          reportId: `report-${type}`,
          failureCode: 'CLONE_SUSPECTED',
          message:
            'A session that never had the permit says that nothing was printed: two agents may use one credential.',
          expiresAt: seconds(100 + 3 * the.DAY),
        }),
      );
  });

  it('is only recorded if a clone reports it for a parked job', () => {
    given(...the.unconfirmed)
      .when(reportBy(clone, 'not_submitted'))
      .then(the.recordedLate('report-not_submitted', 'not_submitted'));
  });

  it('needs no session before the hand-off', () => {
    given(...the.taken)
      .when(reportBy(clone, 'not_submitted'))
      .then(
        ...the
          .failedTemporarily(
            {
              failureCode: 'NOT_SUBMITTED',
              message: undefined,
              reportId: 'report-not_submitted',
              nextAttemptAt: seconds(115),
            },
            1,
            15,
          )
          .map((event) =>
            event.type === 'RetryScheduled'
              ? { ...event, data: { ...event.data, nextAttemptAt: seconds(115) } }
              : event,
          ),
      );
  });
});

describe('suspecting a clone', () => {
  it('parks a job whose retry relied on the silence of the older session', () => {
    given(...the.handing, ...failedOnSilence())
      .when(the.suspectClone())
      .then(
        the.parked({
          failureCode: 'CLONE_SUSPECTED',
          message:
            'The session with the permit still runs, so the one that said that nothing was submitted is no restart of it.',
        }),
      );
  });

  it('ignores other failures and jobs that changed meanwhile', () => {
    for (const past of [
      the.failedOnce,
      [...the.handing, ...failedOnSilence(), the.requeued()],
      [...the.handing, ...failedOnSilence(), the.requeued(), the.leased(2)],
    ]) {
      given(...past)
        .when(the.suspectClone())
        .thenNothing();
    }
    given(...the.handing, ...failedOnSilence())
      .when(the.suspectClone('another session'))
      .thenNothing();
  });
});
