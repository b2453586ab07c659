import * as the from '../../../../test/kit/examples/jobs.js';
import { NOON, recorded, recordedAt } from '../../../../test/kit/recorded.js';
import type { Circumstances } from './explanation.blockers.js';
import { CAUSES, VERDICTS, type Action, type Cause, type Verdict } from './explanation.words.js';
import { explain } from './job.explanation.js';
import type { JobEvent, ReportType, ReviewCode } from './job.events.js';

const { seconds } = the;

const usual: Circumstances = {
  now: seconds(60),
  accountStatus: 'active',
  isPlanUsedUp: false,
  computer: { name: 'RECEPTION', status: 'online', takesOptions: true },
  printer: { printerId: the.PRINTER_ID, name: 'Front desk', status: 'online', isPaused: false },
  ahead: 0,
  newest: [],
};

const explained = (events: readonly JobEvent[], more: Partial<Circumstances> = {}) =>
  explain(recorded(the.JOB_STREAM, ...events), { ...usual, ...more });

const computer = (status: string) => ({ computer: { ...usual.computer, status } });
const printer = (more: Partial<Circumstances['printer']>) => ({ printer: { ...usual.printer, ...more } });
const withOptions: JobEvent[] = [
  { ...the.created, data: { ...the.created.data, options: { scale: 'fit' } } },
  the.queued,
];
const tooOld = { computer: { ...usual.computer, takesOptions: false } };
const failedWith = (failureCode: string, message?: string) => [
  ...the.taken,
  the.failedForGood({ failureCode, ...(message && { message }) }),
];
const review = (failureCode: ReviewCode) => [...the.printing, the.parked({ failureCode })];
const offline = computer('offline');
const suspended = { accountStatus: 'suspended' };
const cancelled = [...the.waiting, the.cancelled()];

type Told = [Verdict, Cause, mayHavePrinted: boolean, ...Action[]];
type Row = [what: string, events: readonly JobEvent[], circumstances: Partial<Circumstances>, ...Told];

const WAITING: readonly Row[] = [
  ['queued', the.waiting, {}, 'waiting', 'next_in_turn', false, 'wait'],
  ['behind one', the.waiting, { ahead: 1 }, 'waiting', 'jobs_before_it', false, 'wait', 'move_queue'],
  ['behind many', the.waiting, { ahead: 101 }, 'waiting', 'jobs_before_it', false, 'wait', 'move_queue'],
  [
    ...(['given back', [...the.withAgent, the.released(1, seconds(90))], {}, 'waiting'] as const),
    ...(['given_back_by_agent', false, 'check_printer', 'wait', 'move_queue'] as const),
  ],
  ['suspended', the.waiting, suspended, 'blocked', 'account_not_active', false, 'resume_account'],
  [
    'revoked',
    the.waiting,
    computer('revoked'),
    'blocked',
    'computer_revoked',
    false,
    'connect_computer',
    'move_queue',
  ],
  [
    'not started',
    the.waiting,
    computer('pending'),
    'blocked',
    'agent_not_started',
    false,
    'start_computer',
    'move_queue',
  ],
  [
    'disabled',
    the.waiting,
    computer('disabled'),
    'blocked',
    'computer_disabled',
    false,
    'enable_computer',
    'move_queue',
  ],
  ['Agent gone', the.waiting, offline, 'blocked', 'computer_offline', false, 'start_computer', 'move_queue'],
  [
    'removed',
    the.waiting,
    printer({ status: 'removed' }),
    'blocked',
    'printer_removed',
    false,
    'check_printer',
    'move_queue',
  ],
  [
    'disabled printer',
    the.waiting,
    printer({ status: 'disabled' }),
    'blocked',
    'printer_disabled',
    false,
    'enable_printer',
    'move_queue',
  ],
  [
    'paused',
    the.waiting,
    printer({ isPaused: true, status: 'offline' }),
    'blocked',
    'printer_paused',
    false,
    'resume_printer',
    'move_queue',
  ],
  [
    'offline printer',
    the.waiting,
    printer({ status: 'offline' }),
    'blocked',
    'printer_offline',
    false,
    'check_printer',
    'move_queue',
  ],
  [
    'stuck',
    the.waiting,
    printer({ trouble: 'no progress' }),
    'blocked',
    'printer_stuck',
    false,
    'check_printer',
    'move_queue',
  ],
  [
    'no paper',
    the.waiting,
    printer({ trouble: 'out of paper', status: 'offline' }),
    'blocked',
    'out_of_paper',
    false,
    'load_paper',
    'move_queue',
  ],
  ['old Agent', withOptions, tooOld, 'blocked', 'agent_too_old', false, 'update_agent', 'move_queue'],
  ['old Agent, no options', the.waiting, tooOld, 'waiting', 'next_in_turn', false, 'wait'],
];

const AT_THE_COMPUTER: readonly Row[] = [
  ['leased', the.withAgent, {}, 'printing', 'with_agent', false, 'wait'],
  [
    'leased, in spite of a pause',
    the.withAgent,
    printer({ isPaused: true }),
    'printing',
    'with_agent',
    false,
    'wait',
  ],
  ['accepted, in spite of a suspension', the.taken, suspended, 'printing', 'with_agent', false, 'wait'],
  ['accepted, Agent gone', the.taken, offline, 'blocked', 'computer_offline', false, 'start_computer'],
  ['handed off', the.handing, {}, 'printing', 'handed_off', true, 'wait'],
  ['in the spooler', the.printing, {}, 'printing', 'in_spooler', true, 'wait'],
  [
    'in the spooler without paper',
    the.printing,
    printer({ trouble: 'media-empty' }),
    'blocked',
    'out_of_paper',
    true,
    'load_paper',
  ],
  ['done', the.done, {}, 'finished', 'spooler_finished', true, 'look_for_paper', 'reprint'],
];

const ENDED: readonly Row[] = [
  ['to be retried', the.failedOnce, {}, 'retrying', 'agent_lost', false, 'start_computer', 'retry', 'wait'],
  [
    'retried in vain',
    [...the.taken, the.exhausted()],
    {},
    'failed',
    'agent_lost',
    false,
    'start_computer',
    'retry',
  ],
  ['lost', failedWith('CONTENT_NOT_FOUND'), {}, 'failed', 'document_lost', false, 'send_again'],
  ['damaged', failedWith('CONTENT_DAMAGED'), {}, 'failed', 'document_damaged', false, 'send_again'],
  [
    'not drawn',
    failedWith('RENDER_FAILED'),
    {},
    'failed',
    'document_not_printable',
    false,
    'change_document',
  ],
  [
    'option refused',
    failedWith('OPTION_NOT_SUPPORTED'),
    {},
    'failed',
    'option_refused',
    false,
    'change_options',
  ],
  ['no paper, by code', failedWith('NO_PAPER'), {}, 'failed', 'out_of_paper', false, 'load_paper', 'reprint'],
  [
    'no paper, by message',
    failedWith('X', 'paper out'),
    {},
    'failed',
    'out_of_paper',
    false,
    'load_paper',
    'reprint',
  ],
  ['unknown code', failedWith('X'), {}, 'failed', 'not_taken_by_spooler', false, 'check_printer', 'reprint'],
  [
    'taken from the queue',
    failedWith('SPOOLER_CANCELLED_LOCALLY'),
    {},
    'failed',
    'cancelled_at_computer',
    false,
    'reprint',
  ],
  [
    ...([
      'taken from the queue, plan used up',
      failedWith('SPOOLER_CANCELLED_LOCALLY'),
      { isPlanUsedUp: true },
    ] as const),
    ...(['failed', 'cancelled_at_computer', false, 'raise_plan', 'reprint'] as const),
  ],
  ['cancelled', [...the.waiting, the.cancelled('twice')], {}, 'cancelled', 'cancelled', false, 'reprint'],
  [
    'cancelled, suspended',
    cancelled,
    suspended,
    'cancelled',
    'cancelled',
    false,
    'resume_account',
    'reprint',
  ],
  ['cancelled, closed', cancelled, { accountStatus: 'closed' }, 'cancelled', 'cancelled', false],
  [
    'cancelled, document gone',
    [...the.waiting, the.cancelled(), the.purged],
    {},
    'cancelled',
    'cancelled',
    false,
    'send_again',
  ],
  ['expired', [...the.waiting, the.expired()], {}, 'expired', 'expired_waiting', false, 'reprint'],
  [
    'expired in review',
    [...the.inReview, the.expired()],
    {},
    'expired',
    'expired_undecided',
    true,
    'look_for_paper',
    'reprint',
  ],
];

const IN_REVIEW = (
  [
    ['HANDOFF_UNCONFIRMED', 'handoff_unconfirmed'],
    ['SPOOLER_VANISHED', 'spooler_vanished'],
    ['SPOOLER_ABORTED', 'spooler_aborted'],
    ['SPOOLER_SILENT', 'spooler_silent'],
    ['RESTORED', 'service_restored'],
    ['UNEXPECTED_EVIDENCE', 'unexpected_evidence'],
    ['CLONE_SUSPECTED', 'credential_shared', 'revoke_computer'],
  ] as const
).map(([code, cause, ...more]): Row => [
  code,
  review(code),
  {},
  'needs_decision',
  cause,
  true,
  'look_for_paper',
  'retry',
  ...more,
]);

describe('explaining a job', () => {
  it.each([...WAITING, ...AT_THE_COMPUTER, ...ENDED, ...IN_REVIEW])(
    '%s',
    (_, events, circumstances, ...told) => {
      const { verdict, cause, may_have_printed, next_steps } = explained(events, circumstances);
      expect([verdict, cause, may_have_printed, ...next_steps.map(({ action }) => action)]).toEqual(told);
    },
  );

  it('meets every cause and every verdict', () => {
    const told = [...WAITING, ...AT_THE_COMPUTER, ...ENDED, ...IN_REVIEW];
    const rest = ['printer_stuck', 'lease_lapsed'];
    expect(
      Object.keys(CAUSES)
        .filter((cause) => !told.some((row) => row[4] === cause))
        .filter((one) => !rest.includes(one)),
    ).toEqual([]);
    expect(new Set(told.map((row) => row[3]))).toEqual(new Set(VERDICTS));
  });
});

describe('the evidence of an explanation', () => {
  const texts = (...asked: Parameters<typeof explained>) =>
    explained(...asked).evidence.map(({ text }) => text);

  it('never says that paper came out', () => {
    expect(texts(the.done)).toEqual([
      `The spooler finished at ${NOON}. This does not prove that paper came out.`,
    ]);
  });

  it('says that nothing was printed while nothing can have been', () => {
    expect(texts(the.waiting)).toEqual([
      'Waiting for “Front desk” on “RECEPTION”. Nothing has been printed.',
    ]);
    expect(texts(the.withAgent)).toEqual([
      '“RECEPTION” has the job, its spooler has not. Nothing has been printed.',
    ]);
  });

  it('counts up to 100 jobs before it', () => {
    const before = (ahead: number) => texts(the.waiting, { ahead })[0];
    expect(before(100)).toMatch(/^100 jobs wait for this printer before it\./);
    expect(before(101)).toMatch(/^More than 100 jobs wait for this printer before it\./);
  });

  it('names the event that holds the job up, and since when', () => {
    const change = { type: 'PrinterUpdated', data: { printerId: the.PRINTER_ID, changes: { paused: true } } };
    const other = { ...change, data: { ...change.data, printerId: the.leaseIdOf(1) } };
    const newest = [
      recordedAt(seconds(20), 'computer-x', 7, change),
      recordedAt(seconds(30), 'computer-x', 8, other),
    ];
    const { since, evidence } = explained(the.waiting, { ...printer({ isPaused: true }), newest });
    expect(since).toBe(seconds(20));
    expect(evidence.map(({ event_id, text }) => [event_id, text])).toEqual([
      [newest[0]!.id, '“Front desk” is paused.'],
      [expect.any(String), 'Waiting for “Front desk” on “RECEPTION”. Nothing has been printed.'],
    ]);
  });

  it('keeps to the events of the job if that event is far back', () => {
    expect(texts(the.waiting, offline)).toEqual([
      '“RECEPTION” is offline. Waiting for “Front desk” on “RECEPTION”. Nothing has been printed.',
    ]);
  });

  it("tells the Agent's last error of a job that is held up", () => {
    const newest = [recordedAt(seconds(20), 'computer-x', 7, { type: 'AgentHealthChanged', data: {} })];
    const lastError = { code: 'NETWORK', message: 'no route', at: seconds(10) };
    expect(texts(the.waiting, { ...printer({ isPaused: true }), newest, lastError })[1]).toBe(
      `The Agent's last error, at ${seconds(10)}: NETWORK, “no route”.`,
    );
  });

  it('remembers earlier attempts that may have been printed', () => {
    const again = [...the.inReview, the.requeued(1, 'manual'), the.leased(2)];
    expect(explained(again).may_have_printed).toBe(true);
    expect(texts(again)).toEqual([
      '“RECEPTION” has the job, its spooler has not.',
      'Attempt 1 may have been printed too.',
    ]);
    expect(texts(the.inReview)).toHaveLength(1);
    expect(texts([...the.inReview, the.expired()])).toHaveLength(1);
    const late = (report: ReportType) => [
      ...the.failedOnce,
      the.requeued(),
      the.leased(2),
      the.recordedLate('x', report),
    ];
    expect(texts(late('spooler_completed'))[1]).toBe('Attempt 1 may have been printed too.');
    expect(texts(late('not_submitted'))).toHaveLength(1);
    expect(texts([...the.waiting, the.restoredUnleased, the.requeued()])[1]).toBe(
      'It may have been printed too.',
    );
  });

  it('takes a proof for what it is', () => {
    const proof = [...the.inReview, the.failedForGood({ late: true })];
    expect(explained(proof).may_have_printed).toBe(false);
    expect(texts(proof)[0]).toMatch(/^Certainly not printed: SPOOLER_CANCELLED_LOCALLY/);
  });
});
