import type {
  JobEvent,
  JobEventData,
  LeaseRef,
  SpoolerEvidence,
} from '../../src/contexts/jobs/domain/job.events.js';
import { idOf } from '../../src/kernel/ids.js';
import { changesBy, typesOf, type Moves, type Projection } from '../../src/kernel/projection.js';
import { hourOf, type Instant } from '../../src/kernel/time.js';
import { spooledWithin } from './job-hours.js';
import { jobView, listingOf, searchKey, type JobDocument } from './job-view.js';

type Changes = Partial<JobDocument>;
const moves: Moves<JobDocument, Omit<JobEventData, 'JobCreated' | 'JobArchived'>> = {
  JobQueued: () => ({ status: 'queued' }),
  JobLeased: ({ leaseId, fence }, at) => ({
    status: 'leased',
    attempt_count: fence,
    last_attempt_at: at,
    lease_id: leaseId,
  }),
  LeaseLapsed: ({ requeued }) => (requeued ? { status: 'queued' } : {}),
  LeaseReleased: () => ({ status: 'queued' }),
  LeaseInvalidated: () => ({}),
  LeaseKept: () => ({}),
  JobAccepted: () => ({ status: 'accepted_by_agent' }),
  HandoffStarted: ({ startedAt }) => ({ handoff_at: startedAt }),
  JobSpooled: (data, _, before) => ({
    ...spooled(data.spooledAt, before),
    status: 'sent_to_spooler',
    spooler_submitted_at: data.spooledAt,
    ...evidence(data),
    ...(data.receipt && { receipt: data.receipt }),
  }),
  JobCompleted: (data, _, before) => ({
    ...spooled(data.completedAt, before),
    status: 'spooler_completed',
    ...newest(data, before),
    ...evidence(data),
    spooler_completed_at: data.completedAt,
    completed_at: data.completedAt,
    retry_state: before.retry_count > 0 ? 'completed' : 'none',
    failure_code: undefined,
    failure_class: undefined,
    failure_message: undefined,
    next_attempt_at: undefined,
  }),
  JobFailed: (data, at) => ({
    status: 'failed',
    failure_code: data.failureCode,
    failure_class: data.failureClass,
    failure_message: data.message,
    last_failure_at: at,
    retry_state: data.retryState,
    next_attempt_at: data.nextAttemptAt,
  }),
  RetryScheduled: () => ({}),
  JobRequeued: ({ retryCount, expiresAt }) => ({
    status: 'queued',
    retry_count: retryCount,
    retry_state: 'submitted',
    next_attempt_at: undefined,
    expires_at: expiresAt,
    handoff_at: undefined,
    spooler_provider: undefined,
    spooler_job_id: undefined,
    spooler_submitted_at: undefined,
    receipt: undefined,
  }),
  ManualReviewOpened: (data, at, before) => ({
    status: 'manual_review',
    ...newest(data, before),
    ...evidence(data),
    failure_code: data.failureCode,
    failure_class: 'ambiguous',
    failure_message: data.message,
    last_failure_at: at,
    manual_review_at: at,
    retry_state: 'manual_review',
    next_attempt_at: undefined,
    expires_at: data.expiresAt,
  }),
  JobCancelled: ({ reason }, at) => ({ status: 'cancelled', cancelled_at: at, cancellation_reason: reason }),
  JobExpired: (_, at, { retry_state: before }) => ({
    status: 'expired',
    expired_at: at,
    next_attempt_at: undefined,
    retry_state: before === 'scheduled' || before === 'manual_review' ? 'none' : before,
  }),
  LateResultRecorded: () => ({}),
  ContentPurged: () => ({ content_available: false }),
  JobReprinted: () => ({}),
  JobMoved: ({ printerId, printerCode, printerName, computerId, computerName }) => ({
    status: 'queued',
    printer_id: printerId,
    printer_code: printerCode,
    printer_name: printerName,
    computer_id: computerId,
    computer_name: computerName,
  }),
};

/** Events that leave `updated_at` unchanged. */
const QUIET: ReadonlySet<JobEvent['type']> = new Set([
  'LateResultRecorded',
  'LeaseKept',
  'ContentPurged',
  'JobReprinted',
]);

export const jobViewProjection: Projection<JobDocument, JobEvent> = {
  view: jobView,
  category: 'job',
  handles: ['JobCreated', ...typesOf(moves), 'JobArchived'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at, traceparent } = event.metadata;
    const traced = traceparent !== undefined && { traceparent };
    if (event.type === 'JobCreated') return { ...created(event.data, at), ...traced };
    if (!document || event.type === 'JobArchived') return undefined;
    const changes = changesBy(moves, event, document);
    const { status = document.status, retry_state = document.retry_state } = changes;
    return {
      ...document,
      ...changes,
      listed_as: listingOf(status, retry_state),
      updated_at: QUIET.has(event.type) ? document.updated_at : at,
      sequence: event.revision,
      ...traced,
    };
  },
};

function created(data: JobEventData['JobCreated'], at: Instant): JobDocument {
  return {
    job_id: data.jobId,
    account_id: data.accountId,
    printer_id: data.printerId,
    printer_code: data.printerCode,
    printer_name: data.printerName,
    computer_id: data.computerId,
    computer_name: data.computerName,
    external_id: data.externalId,
    title: data.title,
    ...(data.title !== undefined && { title_key: searchKey(data.title) }),
    content_type: data.contentType,
    content_hash: data.contentHash,
    content_size_bytes: data.contentSizeBytes,
    copies: data.copies,
    ...(data.options && { options: data.options }),
    status: 'created',
    attempt_count: 0,
    retry_count: 0,
    max_auto_retries: data.maxAutoRetries,
    ...(data.reprintOf !== undefined && { reprint_of: data.reprintOf }),
    retry_state: 'none',
    created_at: at,
    updated_at: at,
    expires_at: data.expiresAt,
    source: data.source,
    listed_as: 'created',
    content_available: true,
    created_month: at.slice(0, 'YYYY-MM'.length),
    created_hour: hourOf(at),
    sequence: 0,
  };
}

/** A retry keeps the time of the first attempt that reached the spooler. */
function spooled(at: Instant, { spooled_within, created_at }: JobDocument): Changes {
  return { spooled_within: spooled_within ?? spooledWithin(created_at, at) };
}

/** Evidence may name a lease that this store never granted: later fences continue from there. */
function newest({ leaseId, fence }: Partial<LeaseRef>, before: JobDocument): Changes {
  return {
    ...(leaseId !== undefined && { lease_id: leaseId }),
    attempt_count: Math.max(before.attempt_count, fence ?? 0),
  };
}

function evidence({ spoolerProvider, spoolerJobId }: SpoolerEvidence): Changes {
  return {
    ...(spoolerProvider !== undefined && { spooler_provider: spoolerProvider }),
    ...(spoolerJobId !== undefined && { spooler_job_id: spoolerJobId }),
  };
}
