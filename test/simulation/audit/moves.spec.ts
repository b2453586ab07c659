import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import { judgeMoves } from './moves.js';

type Step = readonly [type: string, data?: object];

const EXPIRY = '2026-01-05T08:30:00.000Z';
const minute = (n: number) => `2026-01-05T08:${String(n).padStart(2, '0')}:00.000Z`;
const queued: Step[] = [['JobCreated', { expiresAt: EXPIRY }], ['JobQueued']];
const leased: Step[] = [...queued, ['JobLeased', { fence: 1, sessionId: 'older' }]];
const accepted: Step[] = [...leased, ['JobAccepted', { fence: 1 }]];
const handedOff: Step[] = [...accepted, ['HandoffStarted', { fence: 1, sessionId: 'older' }]];
const retrying = (nextAttemptAt: string): Step[] => [
  ...accepted,
  ['JobFailed', { fence: 1 }],
  ['RetryScheduled', { fence: 1, nextAttemptAt }],
];
const SESSIONS = new Set(['AgentSessionStarted', 'ReplacedSessionCalled']);
/** A newer session says that nothing was submitted. */
const proven = (nextAttemptAt: string): Step[] => [
  ['AgentSessionStarted', { sessionId: 'newer', startedAt: minute(5) }],
  ...handedOff,
  ['JobFailed', { fence: 1, reportId: 'unsent' }],
  ['RetryScheduled', { fence: 1, nextAttemptAt }],
];
const requeued: Step = ['JobRequeued', { cause: 'automatic' }];
/** One event a minute, from 8:00 on. */
const judged = (steps: readonly Step[], from = 0) =>
  judgeMoves(
    steps.map(([type, data = {}], n) => {
      const at = minute(from + n);
      const stream = SESSIONS.has(type) ? 'computer-1' : 'job-1';
      return { stream, type, data, metadata: { at } } as unknown as RecordedEvent;
    }),
    new Map([['unsent', { type: 'not_submitted', document: 'svc:1:1', sessions: new Set(['newer']) }]]),
  );

describe('the moves of a job', () => {
  it.each<[string, Step[]]>([
    ['a life', [...handedOff, ['JobSpooled', { fence: 1 }], ['JobCompleted', { fence: 1 }]]],
    ['a cancel of a leased job', [...leased, ['LeaseInvalidated', { fence: 1 }], ['JobCancelled']]],
    ['a retry after the proof of a restart', [...proven(minute(8)), requeued]],
    ['a retry when it is due', [...retrying(minute(6)), requeued, ['JobLeased', { fence: 2 }]]],
    ['a review', [...handedOff, ['ManualReviewOpened', { fence: 1, expiresAt: EXPIRY }], ['JobExpired']]],
  ])('may be %s', (_, steps) => {
    const { moves, violations } = judged(steps);
    expect(violations).toEqual([]);
    expect(moves.get('created: JobQueued')).toBe(1);
    expect(moves.get('leased: LeaseKept')).toBe(0);
  });

  it.each<[string, Step[]]>([
    ['a cancel of an accepted job', [...accepted, ['LeaseInvalidated', { fence: 1 }], ['JobCancelled']]],
    ['a cancel beside a lease that stands', [...leased, ['JobCancelled']]],
    ['an end while it may be printing', [...handedOff, ['JobExpired']]],
    ['a second grant of a fence', [...leased, ['LeaseLapsed', { fence: 1 }], ['JobLeased', { fence: 1 }]]],
    [
      'a report of an older attempt',
      [...retrying(minute(6)), requeued, ['JobLeased', { fence: 2 }], ['JobFailed', { fence: 1 }]],
    ],
    ['a hand-off by another session', [...accepted, ['HandoffStarted', { fence: 1, sessionId: 'newer' }]]],
    ['a failure that nothing proves', [...handedOff, ['JobFailed', { fence: 1 }]]],
    [
      'a failure that a newer session reports although the older one calls',
      [['ReplacedSessionCalled', { sessionId: 'older' }], ...proven(minute(9))],
    ],
    ['a retry before the older session was silent', proven(minute(5))],
    [
      'a retry although the older session calls',
      [...proven(minute(9)), ['ReplacedSessionCalled', { sessionId: 'older' }], requeued],
    ],
    ['a retry before it is due', [...retrying(minute(9)), requeued]],
    ['a retry long after it was due', [...retrying('2026-01-05T07:40:00.000Z'), requeued]],
    [
      'a retry by itself after a review',
      [...handedOff, ['ManualReviewOpened', { fence: 1, expiresAt: EXPIRY }], requeued],
    ],
    [
      'a fifth lapse without a failure',
      [...leased, ['LeaseLapsed', { fence: 1, requeued: true, lapsesInARow: 5 }]],
    ],
    [
      'a review of what was not submitted',
      [
        ...handedOff,
        [
          'ManualReviewOpened',
          { fence: 1, expiresAt: EXPIRY, reportId: 'unsent', failureCode: 'SPOOLER_VANISHED' },
        ],
      ],
    ],
    [
      'a success that is only recorded',
      [...retrying(minute(6)), ['LateResultRecorded', { fence: 1, report: 'spooled' }]],
    ],
  ])('may not be %s', (_, steps) => {
    expect(judged(steps).violations).toHaveLength(1);
  });

  it('stop at the expiry, and after three retries', () => {
    expect(judged(leased, 28).violations[0]).toContain('after its expiry');
    const again: Step[] = [['JobFailed'], ['RetryScheduled', { nextAttemptAt: minute(5) }], requeued];
    const attempts = [1, 2, 3, 4].flatMap((fence): Step[] => [['JobLeased', { fence }], ...again]);
    expect(judged([...queued, ...attempts]).violations).toEqual([
      'job 1: RetryScheduled while failed: one retry too many',
    ]);
  });
});
