import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import * as the from '../../test/kit/examples/jobs.js';
import { recorded } from '../../test/kit/recorded.js';
import type { HistoryEvent } from './job-history.js';
import { historyOf } from './job-history.fold.js';

const { seconds } = the;

function historyAfter(...events: JobEvent[]): readonly HistoryEvent[] {
  return historyOf(recorded(the.JOB_STREAM, ...events)).history;
}
/** The last lines, without ids and times. */
const told = (count: number, ...events: JobEvent[]) =>
  historyAfter(...events)
    .slice(-count)
    .map(({ event_id: _id, created_at: _at, ...line }) => line);

describe('the history of a job', () => {
  it('names the stored event and its time', () => {
    const [created, queued] = historyAfter(...the.waiting);
    expect(created).toStrictEqual({
      event_id: '00000000-0000-7000-8000-000000000000',
      event_type: 'job.created',
      outcome: 'ok',
      created_at: seconds(0),
    });
    expect(queued).toStrictEqual({
      event_id: '00000000-0000-7000-8000-000000000001',
      event_type: 'job.queued',
      new_status: 'queued',
      outcome: 'ok',
      created_at: seconds(1),
    });
  });

  it('names both printers of a moved job, and the reprints', () => {
    expect(told(2, ...the.waiting, the.moved(), the.reprinted())).toStrictEqual([
      {
        ...{ event_type: 'job.moved', previous_status: 'queued', new_status: 'queued', outcome: 'ok' },
        details: { from_printer_id: the.PRINTER_ID, to_printer_id: the.printerIdOf(1) },
      },
      { event_type: 'job.reprinted', outcome: 'recorded', details: { reprint_job_id: the.leaseIdOf(1) } },
    ]);
  });

  it('shows every step of a normal job', () => {
    const moved = (event_type: string, previous_status: string, new_status: string, details?: object) => ({
      event_type,
      previous_status,
      new_status,
      outcome: 'ok',
      ...(details && { details }),
    });
    expect(told(5, ...the.done)).toStrictEqual([
      moved('job.leased', 'queued', 'leased'),
      moved('job.accepted_by_agent', 'leased', 'accepted_by_agent'),
      { event_type: 'job.handoff_started', outcome: 'ok' },
      moved('job.sent_to_spooler', 'accepted_by_agent', 'sent_to_spooler', { spooler_provider: 'cups' }),
      moved('job.spooler_completed', 'sent_to_spooler', 'spooler_completed', {
        physical_print_confirmed: false,
      }),
    ]);
  });

  it('shows a failure and its retry', () => {
    expect(told(3, ...the.failedOnce, the.requeued())).toStrictEqual([
      {
        event_type: 'job.failed',
        previous_status: 'accepted_by_agent',
        new_status: 'failed',
        outcome: 'failed',
        details: { failure_code: 'AGENT_LOST_BEFORE_HANDOFF', failure_class: 'temporary' },
      },
      { event_type: 'job.retry_scheduled', outcome: 'scheduled', details: { retry_delay_seconds: 15 } },
      { event_type: 'job.retry_submitted', previous_status: 'failed', new_status: 'queued', outcome: 'ok' },
    ]);
  });

  it('shows a lapse and a release', () => {
    expect(told(1, ...the.withAgent, the.lapsed())).toStrictEqual([
      {
        event_type: 'job.lease_lapsed',
        previous_status: 'leased',
        new_status: 'queued',
        outcome: 'failed',
        details: { reason: 'silence' },
      },
    ]);
    expect(told(1, ...the.withAgent, the.released())).toMatchObject([
      { event_type: 'job.lease_released', new_status: 'queued', outcome: 'ok' },
    ]);
    expect(told(2, ...the.withAgent, the.lapsed(1, 5), the.failedForGood())).toMatchObject([
      { event_type: 'job.lease_lapsed', outcome: 'failed' },
      { event_type: 'job.failed', previous_status: 'leased', new_status: 'failed' },
    ]);
  });

  it('shows a review and a late result', () => {
    expect(told(2, ...the.inReview, the.completed(1, { late: true }))).toStrictEqual([
      {
        event_type: 'job.manual_review',
        previous_status: 'sent_to_spooler',
        new_status: 'manual_review',
        outcome: 'ambiguous',
        details: { failure_code: 'SPOOLER_VANISHED', failure_class: 'ambiguous' },
      },
      {
        event_type: 'job.spooler_completed',
        previous_status: 'manual_review',
        new_status: 'spooler_completed',
        outcome: 'ok',
        details: { reason: 'late_result', physical_print_confirmed: false },
      },
    ]);
    expect(told(1, ...the.inReview, the.failedForGood({ late: true }))).toMatchObject([
      { event_type: 'job.failed', details: { reason: 'late_result', failure_class: 'permanent' } },
    ]);
    expect(told(1, ...the.failedOnce, the.recordedLate('report', 'spooled', 1, the.cups))).toStrictEqual([
      {
        event_type: 'job.late_result_recorded',
        outcome: 'recorded',
        details: { reason: 'late_result', spooler_provider: 'cups' },
      },
    ]);
  });

  it('shows the end, but neither the invalidated lease nor the purged content', () => {
    expect(
      told(2, ...the.withAgent, the.invalidated('cancelled'), the.cancelled('twice'), the.purged),
    ).toMatchObject([
      { event_type: 'job.leased' },
      {
        event_type: 'job.cancelled',
        previous_status: 'leased',
        new_status: 'cancelled',
        outcome: 'cancelled',
        details: { reason: 'twice' },
      },
    ]);
    expect(told(1, ...the.waiting, the.expired())).toStrictEqual([
      { event_type: 'job.expired', previous_status: 'queued', new_status: 'expired', outcome: 'expired' },
    ]);
  });
});

describe('the history of a job with many events', () => {
  const documentAfter = (late: number) => {
    const reports = Array.from({ length: late }, (_, n) =>
      the.recordedLate(`report-${n}`, 'spooler_completed'),
    );
    return historyOf(recorded(the.JOB_STREAM, ...the.failedOnce, ...reports));
  };
  const before = historyAfter(...the.failedOnce).length;

  it('returns up to 1,000 lines unabridged', () => {
    const { history, history_truncated } = documentAfter(1000 - before);
    expect([history.length, history[0]!.event_type]).toEqual([1000, 'job.created']);
    expect(history_truncated).toBeUndefined();
  });

  it('returns the newest 1,000 lines, oldest first, and marks the history as truncated', () => {
    const document = documentAfter(1000 - before + 7);
    expect(document.history_truncated).toBe(true);
    expect(document.history.map(({ created_at }) => created_at)).toEqual(
      Array.from({ length: 1000 }, (_, n) => seconds(the.failedOnce.length - before + n + 7)),
    );
  });
});
