import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/jobs.js';
import { plus } from '../../../kernel/time.js';
import { makeJobDecider } from './job.decider.js';
import type { JobEvent, ReportType } from './job.events.js';
import { defaultJobPolicy } from './job.policy.js';
import { reportResult } from './job.results.js';

const { given } = storyOf(makeJobDecider(defaultJobPolicy));
const { seconds } = the;

/** A failure without the service's message. */
const said = (failureCode: string, reportId: string, more = {}) => ({
  message: undefined,
  failureCode,
  reportId,
  ...more,
});
const review = (failureCode: 'SPOOLER_VANISHED' | 'SPOOLER_ABORTED', type: ReportType, more = {}) =>
  the.parked({ failureCode, reportId: `report-${type}`, ...more });

describe('reporting before the hand-off', () => {
  it.each([
    ['not_submitted', 'NOT_SUBMITTED'],
    ['spooler_failed', 'SPOOLER_FAILED'],
    ['spooler_vanished', 'SPOOLER_VANISHED'],
  ] as const)('fails as %s says, temporarily or for good', (type, code) => {
    given(...the.taken)
      .when(the.report(type, { failureClass: 'temporary' }))
      .then(...the.failedTemporarily(said(code, `report-${type}`)));
    given(...the.taken)
      .when(the.report(type, { failureClass: 'permanent', failureCode: 'NO_SUCH_QUEUE', message: 'gone' }))
      .then(the.failedForGood(said('NO_SUCH_QUEUE', `report-${type}`, { message: 'gone' })));
  });

  it('fails temporarily on not_submitted without a class', () => {
    given(...the.taken)
      .when(the.report('not_submitted'))
      .then(...the.failedTemporarily(said('NOT_SUBMITTED', 'report-not_submitted')));
  });

  it.each([
    ['spooler_failed', undefined],
    ['spooler_vanished', undefined],
    ['spooler_failed', 'ambiguous'],
    ['spooler_vanished', 'ambiguous'],
    ['not_submitted', 'ambiguous'],
    ['spooler_cancelled', 'ambiguous'],
  ] as const)('parks the job on %s of class %s, which a person decides', (type, failureClass) => {
    for (const past of [the.withAgent, the.taken]) {
      given(...past)
        .when(the.report(type, { failureClass, message: 'who knows' }))
        .then(
          the.parked({
            failureCode: 'UNEXPECTED_EVIDENCE',
            reportId: `report-${type}`,
            message: 'who knows',
          }),
        );
    }
  });

  it('fails permanently on rejected unless the report says otherwise', () => {
    given(...the.taken)
      .when(the.report('rejected'))
      .then(the.failedForGood(said('REJECTED_BY_AGENT', 'report-rejected')));
    given(...the.taken)
      .when(the.report('rejected', { failureClass: 'temporary' }))
      .then(...the.failedTemporarily(said('REJECTED_BY_AGENT', 'report-rejected')));
    given(...the.taken)
      .when(the.report('rejected', { failureClass: 'ambiguous' }))
      .then(the.failedForGood(said('REJECTED_BY_AGENT', 'report-rejected')));
  });

  it('ends a job before it is accepted', () => {
    given(...the.withAgent)
      .when(the.report('rejected', { failureCode: 'CANNOT_RENDER' }))
      .then(the.failedForGood(said('CANNOT_RENDER', 'report-rejected')));
  });
});

describe('reporting after the hand-off', () => {
  it('moves the job to the spooler on spooled', () => {
    given(...the.handing)
      .when(the.report('spooled', the.cups))
      .then(the.spooled());
  });

  it('keeps the receipt, also of a document that is spooled and completed in one report', () => {
    const receipt = {
      applied: { paper: 'iso_a6_105x148mm', sheet_mm: [105, 148] },
      ignored: [{ option: 'duplex' as const, reason: 'one side only' }],
    };
    for (const type of ['spooled', 'spooler_completed'] as const) {
      const spooled = the.spooled(1, `report-${type}`);
      const completed = the.completed(1, { reportId: `report-${type}` });
      given(...the.handing)
        .when(the.report(type, { ...the.cups, receipt }))
        .then(
          { ...spooled, data: { ...spooled.data, receipt } } as JobEvent,
          ...(type === 'spooled'
            ? []
            : [{ ...completed, data: { ...completed.data, ...the.cups } } as JobEvent]),
        );
    }
  });

  it('stores both steps on completed', () => {
    given(...the.handing)
      .when(the.report('spooler_completed', the.cups))
      .then(the.spooled(1, 'report-spooler_completed'), {
        type: 'JobCompleted',
        data: { ...the.completed().data, ...the.cups, reportId: 'report-spooler_completed' },
      } as JobEvent);
  });

  it('fails temporarily on proof that nothing was submitted, whatever the agent calls it', () => {
    given(...the.handing)
      .when(the.report('not_submitted', { failureClass: 'permanent' }))
      .then(...the.failedTemporarily(said('NOT_SUBMITTED', 'report-not_submitted')));
  });

  it('parks the job on not_submitted of an agent that is in doubt', () => {
    given(...the.handing)
      .when(the.report('not_submitted', { failureClass: 'ambiguous' }))
      .then(review('SPOOLER_VANISHED', 'not_submitted'));
  });

  it.each([
    ['spooler_vanished', 'SPOOLER_VANISHED'],
    ['spooler_failed', 'SPOOLER_ABORTED'],
    ['rejected', 'SPOOLER_ABORTED'],
  ] as const)('parks the job on %s', (type, code) => {
    given(...the.handing)
      .when(
        the.report(type, {
          failureClass: 'permanent',
          failureCode: 'SPOOLER_RESTARTED',
          message: 'who knows',
        }),
      )
      .then(review(code, type, { reportedCode: 'SPOOLER_RESTARTED', message: 'who knows' }));
  });

  it('fails permanently on a local cancel before pages started', () => {
    given(...the.handing)
      .when(the.report('spooler_cancelled', { failureCode: 'JOB_CANCELED_BY_USER' }))
      .then(the.failedForGood({ reportId: 'report-spooler_cancelled' }));
  });

  it('parks the job on a local cancel after pages may have started', () => {
    given(...the.handing)
      .when(the.report('spooler_cancelled', { failureClass: 'ambiguous' }))
      .then(review('SPOOLER_ABORTED', 'spooler_cancelled'));
  });
});

describe('reporting from the spooler', () => {
  it('ends the job on completed', () => {
    given(...the.printing)
      .when(the.report('spooler_completed'))
      .then(the.completed(1, { reportId: 'report-spooler_completed' }));
  });

  it('fails permanently on a local cancel before pages started', () => {
    given(...the.printing)
      .when(the.report('spooler_cancelled'))
      .then(the.failedForGood({ reportId: 'report-spooler_cancelled' }));
  });

  it.each([
    ['spooler_failed', 'SPOOLER_ABORTED'],
    ['spooler_vanished', 'SPOOLER_VANISHED'],
    ['not_submitted', 'SPOOLER_VANISHED'],
  ] as const)('parks the job on %s', (type, code) => {
    given(...the.printing)
      .when(the.report(type))
      .then(review(code, type));
  });

  it('writes nothing on a repeated spooled or spooler_completed', () => {
    given(...the.printing)
      .when(the.report('spooled', { id: 'another report' }))
      .thenNothing();
    given(...the.done)
      .when(the.report('spooled', { id: 'another report' }))
      .thenNothing();
    given(...the.done)
      .when(the.report('spooler_completed', { id: 'another report' }))
      .thenNothing();
  });
});

describe('reporting on a parked job', () => {
  it('completes the job on completed', () => {
    given(...the.inReview)
      .when(the.report('spooler_completed'))
      .then(the.completed(1, { late: true, reportId: 'report-spooler_completed' }));
  });

  it('fails the job on a local cancel', () => {
    given(...the.inReview)
      .when(the.report('spooler_cancelled'))
      .then(
        the.failedForGood({
          late: true,
          reportId: 'report-spooler_cancelled',
          expiresAt: seconds(3 * the.DAY),
        }),
      );
  });

  it('fails the job on proof that nothing was submitted, unless it was spooled', () => {
    const failure = said('NOT_SUBMITTED', 'report-not_submitted', {
      late: true,
      expiresAt: seconds(3 * the.DAY),
    });
    given(...the.unconfirmed)
      .when(the.report('not_submitted'))
      .then(...the.failedTemporarily(failure));
    given(...the.inReview)
      .when(the.report('not_submitted'))
      .then(the.recordedLate('report-not_submitted', 'not_submitted'));
  });

  it.each([
    ['spooler_failed', 'SPOOLER_ABORTED'],
    ['spooler_vanished', 'SPOOLER_VANISHED'],
  ] as const)('only records not_submitted after %s: the spooler had it', (type, code) => {
    given(...the.handing, review(code, type))
      .when(the.report('not_submitted'))
      .then(the.recordedLate('report-not_submitted', 'not_submitted'));
  });

  it.each(['spooled', 'spooler_failed', 'spooler_vanished', 'rejected'] as const)(
    'only records %s',
    (type) => {
      given(...the.unconfirmed)
        .when(the.report(type))
        .then(the.recordedLate(`report-${type}`, type));
    },
  );
});

describe('reporting late', () => {
  const second = [the.leased(2), the.accepted(2), the.handedOff(2)];

  it('changes nothing with an older fence', () => {
    given(...the.failedOnce, the.requeued(), ...second)
      .when(the.report('spooler_completed', { ...the.cups, occurredAt: seconds(-5), message: 'printed' }))
      .then(
        the.recordedLate('report-spooler_completed', 'spooler_completed', 1, {
          ...the.cups,
          occurredAt: seconds(-5),
          message: 'printed',
        }),
      );
  });

  it.each([
    ['queued again', [...the.inReview, the.requeued(1, 'manual')]],
    ['failed for good', [...the.printing, the.failedForGood()]],
    ['cancelled', [...the.withAgent, the.invalidated('cancelled'), the.cancelled()]],
    ['expired', [...the.inReview, the.expired()]],
  ])('is only recorded when the job is %s', (_, past) => {
    given(...past)
      .when(the.report('spooler_completed'))
      .then(the.recordedLate('report-spooler_completed', 'spooler_completed'));
  });

  it('does not undo a success', () => {
    given(...the.done)
      .when(the.report('spooler_failed'))
      .then(the.recordedLate('report-spooler_failed', 'spooler_failed'));
  });
});

describe('repeating a report', () => {
  it('writes nothing, whatever the status of the job', () => {
    for (const past of [the.printing, the.done, the.inReview, [...the.inReview, the.requeued(1, 'manual')]]) {
      given(...past)
        .when(the.report('spooled'))
        .thenNothing();
    }
  });

  it('writes nothing for a report that was only recorded', () => {
    given(...the.failedOnce, the.recordedLate('report-spooled', 'spooled'))
      .when(the.report('spooled'))
      .thenNothing();
  });

  it('is detected for the last 32 reports', () => {
    const many = Array.from({ length: 40 }, (_, i) => the.recordedLate(`report ${i}`, 'spooler_vanished'));
    const state = given(...the.failedOnce, ...many).state();
    expect(state.reportsSeen).toHaveLength(32);
    expect(state.reportsSeen.at(-1)).toBe('report 39');
  });
});

describe('reporting without authority', () => {
  it('is refused under an unknown lease or fence', () => {
    given(...the.handing)
      .when(the.report('spooled', {}, { leaseId: the.leaseIdOf(9) }))
      .thenRejected('LeaseLost');
    given(...the.handing)
      .when(the.report('spooled', {}, { fence: 2 }))
      .thenRejected('LeaseLost');
    given(...the.waiting)
      .when(the.report('not_submitted', {}, { fence: 1 }))
      .thenRejected('LeaseLost');
  });

  it('is refused to another computer', () => {
    given(...the.handing)
      .when(the.report('spooled', {}, { computerId: 'another' }))
      .thenRejected('JobNotFound');
  });
});

describe('the time of a report', () => {
  const at = seconds(100);
  const spooledAt = (occurredAt?: string) => {
    const decision = makeJobDecider(defaultJobPolicy).decide(
      given(...the.handing).state(),
      the.report('spooled', { occurredAt }, { at }),
    );
    return decision.accepted && decision.events[0];
  };

  it.each([
    ['is the agent’s word', seconds(40), seconds(40)],
    ['is now without one', undefined, at],
    ['is not after now', seconds(101), at],
    ['is not before the hand-off', seconds(-1), seconds(0)],
  ])('%s', (_, occurredAt, expected) => {
    expect(spooledAt(occurredAt)).toMatchObject({
      data: { spooledAt: expected, silentAt: plus(at, 1_800_000) },
    });
  });
});

describe('the answer to the agent', () => {
  it('is duplicate, late or applied', () => {
    expect(reportResult([])).toBe('duplicate');
    expect(reportResult([the.recordedLate('report', 'spooled')])).toBe('late');
    expect(reportResult([the.spooled(), the.completed()])).toBe('applied');
  });
});
