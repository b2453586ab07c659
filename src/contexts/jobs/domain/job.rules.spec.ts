import type { JobStatus } from './job.events.js';
import { canCancel, canRetry, isFinal, isHeld } from './job.rules.js';

/** held, cancellable, final, retryable after a temporary failure */
const TABLE: readonly [JobStatus, boolean, boolean, boolean, boolean][] = [
  ['created', false, true, false, false],
  ['queued', false, true, false, false],
  ['leased', true, true, false, false],
  ['accepted_by_agent', true, false, false, false],
  ['sent_to_spooler', true, false, false, false],
  ['spooler_completed', false, false, true, false],
  ['failed', false, false, false, true],
  ['manual_review', false, false, false, true],
  ['cancelled', false, false, true, false],
  ['expired', false, false, true, false],
];
const NOW = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T12:00:00.001Z';

describe('the rules of each status', () => {
  it.each(TABLE)('for %s: held %s, cancellable %s, final %s, retryable %s', (status, ...expected) => {
    const job = { status, failureClass: 'temporary', contentAvailable: true, expiresAt: LATER } as const;
    expect([isHeld(status), canCancel(status), isFinal(status), canRetry(job, NOW)]).toEqual(expected);
  });

  it('refuse the retry of an expired job, of one without content, and after a permanent failure', () => {
    const failed = {
      status: 'failed',
      failureClass: 'temporary',
      contentAvailable: true,
      expiresAt: LATER,
    } as const;
    expect(canRetry(failed, LATER)).toBe(false);
    expect(canRetry({ ...failed, contentAvailable: false }, NOW)).toBe(false);
    expect(canRetry({ ...failed, failureClass: 'permanent' }, NOW)).toBe(false);
  });
});
