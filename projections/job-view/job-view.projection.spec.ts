import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import * as the from '../../test/kit/examples/jobs.js';
import { project } from '../../test/kit/projection.js';
import { recorded } from '../../test/kit/recorded.js';
import { partnerJobResource } from '../../src/api/partner/jobs/job.resource.js';
import { jobResource } from '../../src/api/resources/print-job.resource.js';
import type { JobDocument } from './job-view.js';
import { jobViewProjection } from './job-view.projection.js';

const { seconds, DAY } = the;

/** Events are one second apart: the n-th happens n seconds after noon. */
function jobAfter(...events: JobEvent[]): JobDocument {
  const document = project(jobViewProjection, recorded(the.JOB_STREAM, ...events)).get(the.JOB_ID);
  if (!document) throw new Error('no document');
  return document;
}
const shown = (events: JobEvent[], now = seconds(100)) => jobResource(jobAfter(...events), now);

describe('a moved job', () => {
  it('waits for the printer that the event names', () => {
    const to = { computerId: the.OTHER_COMPUTER_ID, computerName: 'LOBBY' };
    const moved = jobAfter(...the.withAgent, the.invalidated('moved'), the.moved(to));
    expect(moved).toMatchObject({
      ...{
        status: 'queued',
        listed_as: 'queued',
        printer_id: the.printerIdOf(1),
        printer_name: 'Back office',
      },
      ...{ printer_code: 'PR-11111111', computer_id: the.OTHER_COMPUTER_ID, computer_name: 'LOBBY' },
    });
  });
});

describe('the view of a job', () => {
  it('omits fields without a value', () => {
    const { externalId: _externalId, title: _title, ...data } = the.created.data;
    const resource = shown([{ type: 'JobCreated', data }, the.queued]);
    expect(Object.keys(resource)).not.toEqual(expect.arrayContaining(['external_id']));
    expect(Object.values(resource)).not.toContain(undefined);
  });

  it('shows the options as given, and the receipt of the newest attempt', () => {
    const options = { paper: { width_mm: 50, height_mm: 30 }, unsupported: 'ignore' as const };
    const receipt = { applied: { page_count: 2 }, ignored: [{ option: 'tray' as const, reason: 'none' }] };
    const created: JobEvent = { type: 'JobCreated', data: { ...the.created.data, options } };
    const spooled = the.spooled() as Extract<JobEvent, { type: 'JobSpooled' }>;
    const printing: JobEvent[] = [
      ...[created, ...the.handing.slice(1)],
      { ...spooled, data: { ...spooled.data, receipt } },
    ];
    for (const resource of [shown(printing), partnerJobResource(jobAfter(...printing))])
      expect(resource).toMatchObject({ options, receipt });
    const again = shown([...printing, the.parked(), the.requeued(1, 'manual')]);
    expect(again.options).toEqual(options);
    expect(again).not.toHaveProperty('receipt');
  });

  it('keeps account, printer, computer and creation time', () => {
    expect(jobAfter(...the.handing)).toMatchObject({
      account_id: the.ACCOUNT_ID,
      computer_id: the.COMPUTER_ID,
      source: 'integration',
      created_month: '2026-11',
      content_available: true,
      lease_id: the.leaseIdOf(1),
      handoff_at: seconds(0),
      sequence: 4,
    });
  });

  it('follows a job through every status to its end', () => {
    expect(shown(the.withAgent)).toMatchObject({
      status: 'leased',
      attempt_count: 1,
      last_attempt_at: seconds(2),
    });
    expect(shown(the.taken)).toMatchObject({ status: 'accepted_by_agent', can_cancel: false });
    expect(shown(the.printing)).toMatchObject({
      status: 'sent_to_spooler',
      spooler_provider: 'cups',
      spooler_job_id: '7',
      spooler_submitted_at: seconds(0),
    });
    expect(shown(the.done)).toMatchObject({
      status: 'spooler_completed',
      spooler_completed_at: seconds(0),
      completed_at: seconds(0),
      updated_at: seconds(6),
      duration_ms: 0,
      retry_state: 'none',
      is_final: true,
    });
  });

  it('is queued again after its lease expired or was released, and ignores the expiry of an older lease', () => {
    expect(jobAfter(...the.withAgent, the.lapsed()).status).toBe('queued');
    expect(jobAfter(...the.withAgent, the.released()).status).toBe('queued');
    expect(jobAfter(...the.withAgent, the.lapsed(1, 5)).status).toBe('leased');
  });

  it('shows a failure and its retry', () => {
    expect(shown(the.failedOnce)).toMatchObject({
      status: 'failed',
      failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
      failure_class: 'temporary',
      last_failure_at: seconds(4),
      retry_state: 'scheduled',
      next_attempt_at: seconds(15),
      can_retry: true,
      is_final: false,
    });
    const again = shown([...the.printing, ...the.failedTemporarily(), the.requeued()]);
    expect(again).toMatchObject({ status: 'queued', retry_count: 1, retry_state: 'submitted' });
    for (const field of ['next_attempt_at', 'spooler_provider', 'spooler_job_id', 'spooler_submitted_at']) {
      expect(again).not.toHaveProperty(field);
    }
    expect(jobAfter(...the.handing, ...the.failedTemporarily(), the.requeued()).handoff_at).toBeUndefined();
    expect(shown([...the.taken, the.exhausted()])).toMatchObject({
      retry_state: 'exhausted',
      can_retry: true,
    });
    expect(shown([...the.printing, the.failedForGood()])).toMatchObject({
      retry_state: 'none',
      can_retry: false,
    });
  });

  it('clears the error after a success, but keeps the time of the failure', () => {
    const late = shown([...the.inReview, the.completed(1, { late: true })]);
    expect(late).toMatchObject({
      status: 'spooler_completed',
      retry_state: 'none',
      last_failure_at: seconds(6),
      manual_review_at: seconds(6),
    });
    for (const field of ['failure_code', 'failure_class', 'failure_message'])
      expect(late).not.toHaveProperty(field);
    const retried = shown([...the.failedOnce, the.requeued(), the.leased(2), the.completed(2)]);
    expect(retried).toMatchObject({ retry_state: 'completed', retry_count: 1, attempt_count: 2 });
  });

  it('shows the lease and fence named by unexpected evidence', () => {
    const evidence = the.parked({ failureCode: 'UNEXPECTED_EVIDENCE' }, 3);
    expect(jobAfter(...the.failedOnce, evidence)).toMatchObject({
      attempt_count: 3,
      lease_id: the.leaseIdOf(3),
      listed_as: 'manual_review',
      next_attempt_at: undefined,
    });
    const completed = jobAfter(...the.failedOnce, the.completed(1, { late: true }));
    expect(completed).toMatchObject({ attempt_count: 1, next_attempt_at: undefined });
  });

  it('keeps its revision when a new session continues the lease', () => {
    const { sequence: _, ...before } = jobAfter(...the.taken);
    expect(jobAfter(...the.taken, the.kept())).toMatchObject(before);
  });

  it('shows a parked job', () => {
    expect(shown(the.inReview)).toMatchObject({
      status: 'manual_review',
      failure_code: 'SPOOLER_VANISHED',
      failure_class: 'ambiguous',
      retry_state: 'manual_review',
      manual_review_at: seconds(6),
      expires_at: seconds(3 * DAY),
      can_retry: true,
    });
  });

  it('shows who cancelled it, why, and its duration', () => {
    expect(shown([...the.waiting, the.cancelled('ordered twice')])).toMatchObject({
      status: 'cancelled',
      cancelled_at: seconds(2),
      cancellation_reason: 'ordered twice',
      duration_ms: 2000,
      is_final: true,
    });
  });

  it('shows no retry for an expired job', () => {
    const resource = shown([...the.failedOnce, the.expired()]);
    expect(resource).toMatchObject({
      status: 'expired',
      retry_state: 'none',
      duration_ms: 6000,
      is_final: true,
    });
    expect(resource).not.toHaveProperty('next_attempt_at');
    expect(shown([...the.inReview, the.expired()])).toMatchObject({ retry_state: 'none' });
    expect(shown([...the.failedOnce, the.requeued(), the.expired()])).toMatchObject({
      retry_state: 'submitted',
    });
  });

  it('is retryable until it expires, while its content exists', () => {
    expect(shown(the.failedOnce, seconds(DAY - 0.001)).can_retry).toBe(true);
    expect(shown(the.failedOnce, seconds(DAY)).can_retry).toBe(false);
    expect(shown([...the.taken, the.exhausted(), the.purged]).can_retry).toBe(false);
  });

  it('ignores events that only record a late result', () => {
    const before = jobAfter(...the.failedOnce);
    const after = jobAfter(...the.failedOnce, the.recordedLate('report', 'spooled'), the.purged);
    expect(after).toEqual({ ...before, content_available: false, sequence: before.sequence + 2 });
  });

  it.each([
    ['queued', the.waiting],
    ['processing', the.withAgent],
    ['processing', the.taken],
    ['processing', the.printing],
    ['processing', the.inReview],
    ['processing', the.failedOnce],
    ['printed', the.done],
    ['failed', [...the.taken, the.exhausted()]],
    ['failed', [...the.printing, the.failedForGood()]],
    ['failed', [...the.waiting, the.cancelled()]],
    ['failed', [...the.failedOnce, the.expired()]],
    ['queued', [...the.failedOnce, the.requeued()]],
  ])('shows partners the status %s', (status, events) => {
    expect(partnerJobResource(jobAfter(...events)).status).toBe(status);
  });
});
