import { after, events, job } from './examples.js';
import { plain } from './sentence.js';
import { verdictOf, type Surroundings } from './verdict.js';

type Job = ReturnType<typeof job>;

/** The verdict as a reader hears it. */
function said(of: Job, told: ReturnType<typeof events> = [], surroundings: Surroundings = {}) {
  const { tone, sentence, also } = verdictOf(of, told, surroundings);
  return [tone, [plain(sentence), ...also.map((n) => `Attempt ${n} may have been printed too.`)].join(' ')];
}

const leased = ['JobLeased', 1, { fence: 1 }] as const;
const handedOff = ['HandoffStarted', 3, { fence: 1 }] as const;
const parked = ['ManualReviewOpened', 9, { fence: 1, failureCode: 'SPOOLER_VANISHED' }] as const;

describe('the verdict about a job', () => {
  it('says that nothing was printed while it waits', () => {
    const sentence = 'Waiting for Till 1 on FRONT-DESK. Nothing has been printed.';
    expect(said(job('queued'))).toEqual(['waiting', sentence]);
    expect(said(job('created'))).toEqual(['waiting', sentence]);
    expect(said(job('queued'), [], { offlineSince: after(-60) })).toEqual([
      'waiting',
      `${sentence} The printer is offline since ${after(-60)}.`,
    ]);
  });

  it('says that nothing was printed before the hand-off', () => {
    const expected = ['moving', 'FRONT-DESK has the job, its spooler has not: nothing has been printed.'];
    expect(said(job('leased'), events(leased))).toEqual(expected);
    expect(said(job('accepted_by_agent'), events(leased, ['JobAccepted', 2, { fence: 1 }]))).toEqual(
      expected,
    );
  });

  it('knows only the hand-off of the current attempt', () => {
    const told = events(leased, handedOff, ['JobFailed', 4, { fence: 1 }], ['JobLeased', 5, { fence: 2 }]);
    expect(said(job('accepted_by_agent', { attempt_count: 2 }), told)[1]).toContain(
      'nothing has been printed',
    );
  });

  it('allows for paper from the hand-off on', () => {
    expect(said(job('accepted_by_agent'), events(leased, handedOff))).toEqual([
      'moving',
      `Handed to the spooler of FRONT-DESK at ${after(3)}. From then on it may have been printed.`,
    ]);
    expect(said(job('sent_to_spooler', { spooler_submitted_at: after(4) }))).toEqual([
      'moving',
      `In the spooler of FRONT-DESK since ${after(4)}. It may have been printed.`,
    ]);
  });

  it('never says that paper came out', () => {
    expect(said(job('spooler_completed', { spooler_completed_at: after(8) }))).toEqual([
      'done',
      `The spooler finished at ${after(8)}. This does not prove that paper came out.`,
    ]);
  });

  it('gives the reason of a failure and the time of the next attempt', () => {
    const failure = { failure_code: 'RENDER_FAILED', failure_message: 'the file is damaged' };
    expect(said(job('failed', failure))).toEqual(['failed', 'Certainly not printed: the file is damaged.']);
    const scheduled = {
      retry_state: 'scheduled',
      next_attempt_at: after(75),
      failure_code: 'LEASE_LAPSED',
    } as const;
    expect(said(job('failed', scheduled))).toEqual([
      'failed',
      `Certainly not printed: LEASE_LAPSED. Next attempt at ${after(75)}.`,
    ]);
  });

  it.each([
    ['HANDOFF_UNCONFIRMED', 'the computer got permission to print and then reported nothing'],
    ['SPOOLER_VANISHED', 'the job was gone from the spooler before it was done'],
    ['SPOOLER_ABORTED', 'the spooler gave up after pages may have been printed'],
    ['SPOOLER_SILENT', 'the spooler reported nothing for too long'],
    ['RESTORED', 'the service was restored from a backup, and the job may have been printed since'],
    ['UNEXPECTED_EVIDENCE', 'the computer reported a hand-off that the service does not know'],
    ['CLONE_SUSPECTED', 'two computers used one credential'],
    ['A_NEW_CODE', 'what happened is unknown'],
  ])('says what happened before a review: %s', (failure_code, happened) => {
    expect(said(job('manual_review', { failure_code }))).toEqual([
      'decision',
      `It may have been printed: ${happened}. Without a decision the job expires at ${after(86_400)}.`,
    ]);
  });

  it('names who cancelled', () => {
    const bea = { kind: 'member', id: 'm', name: 'Bea' } as const;
    const told = events(['JobQueued', 0], ['JobCancelled', 5, {}, bea]);
    expect(said(job('cancelled', { cancelled_at: after(5) }), told)).toEqual([
      'off',
      `Cancelled by Bea at ${after(5)}, before the hand-off.`,
    ]);
  });

  it('tells an expiry in review from one before any attempt', () => {
    const expired = ['JobExpired', 99] as const;
    expect(said(job('expired'), events(['JobQueued', 0], expired))).toEqual([
      'off',
      `Expired at ${after(99)}. Nothing was printed.`,
    ]);
    const late = ['LateResultRecorded', 50, { fence: 1, report: 'spooled' }] as const;
    expect(said(job('expired'), events(leased, handedOff, parked, late, expired))).toEqual([
      'off',
      `Expired at ${after(99)} without a decision: it may have been printed.`,
    ]);
  });

  it('remembers earlier attempts that may have been printed too', () => {
    const again = events(leased, handedOff, parked, ['JobRequeued', 20], ['JobLeased', 21, { fence: 2 }]);
    expect(said(job('leased', { attempt_count: 2 }), again)[1]).toMatch(
      /Attempt 1 may have been printed too\.$/,
    );
    const queued = events(leased, handedOff, parked, ['JobRequeued', 20]);
    expect(verdictOf(job('queued'), queued).also).toEqual([1]);
    expect(verdictOf(job('manual_review'), events(leased, handedOff, parked)).also).toEqual([]);
    const late = events(
      leased,
      ['JobFailed', 5, { fence: 1 }],
      ['JobLeased', 21, { fence: 2 }],
      ['LateResultRecorded', 30, { fence: 1, report: 'spooler_completed' }],
    );
    expect(verdictOf(job('leased', { attempt_count: 2 }), late).also).toEqual([1]);
    const proof = events(
      leased,
      ['JobLeased', 21, { fence: 2 }],
      ['LateResultRecorded', 30, { fence: 1, report: 'not_submitted' }],
    );
    expect(verdictOf(job('leased', { attempt_count: 2 }), proof).also).toEqual([]);
  });
});
