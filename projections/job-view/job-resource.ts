import { elapsed, type Instant } from '../../src/kernel/time.js';
import type { JobDocument, JobFields } from './job-view.js';

/** A print job as the Integration API and webhooks show it (api-v1 2.6). */
export interface JobResource extends JobFields {
  readonly contract: 'svc_job_v1';
  readonly environment: 'live';
  readonly duration_ms: number;
  readonly is_final: boolean;
  readonly can_cancel: boolean;
  readonly can_retry: boolean;
}

/** In the order of the contract. */
const FIELDS = [
  'job_id',
  'printer_id',
  'printer_code',
  'printer_name',
  'computer_name',
  'external_id',
  'title',
  'content_type',
  'content_hash',
  'content_size_bytes',
  'copies',
  'status',
  'attempt_count',
  'retry_count',
  'max_auto_retries',
  'retry_state',
  'next_attempt_at',
  'last_attempt_at',
  'last_failure_at',
  'failure_code',
  'failure_class',
  'failure_message',
  'manual_review_at',
  'spooler_provider',
  'spooler_job_id',
  'spooler_submitted_at',
  'spooler_completed_at',
  'created_at',
  'updated_at',
  'expires_at',
  'cancelled_at',
  'cancellation_reason',
  'completed_at',
] as const satisfies readonly (keyof JobFields)[];

/** Exactly the public fields; those without a value are left out. */
export function jobResource(document: JobDocument, now: Instant): JobResource {
  const resource: Record<string, unknown> = { contract: 'svc_job_v1', environment: 'live' };
  for (const field of FIELDS) {
    const value = document[field];
    if (value !== undefined) resource[field] = value;
  }
  resource.duration_ms = elapsed(document.created_at, endOf(document));
  resource.is_final = isFinal(document);
  resource.can_cancel = canCancel(document);
  resource.can_retry = canRetry(document, now);
  return resource as unknown as JobResource;
}

function endOf(document: JobDocument): Instant {
  const { completed_at, cancelled_at, expired_at, updated_at } = document;
  return completed_at ?? cancelled_at ?? expired_at ?? updated_at;
}

function isFinal({ status }: JobDocument): boolean {
  return status === 'spooler_completed' || status === 'cancelled' || status === 'expired';
}

function canCancel({ status }: JobDocument): boolean {
  return status === 'created' || status === 'queued' || status === 'leased';
}

function canRetry(document: JobDocument, now: Instant): boolean {
  const { status, failure_class, content_available, expires_at } = document;
  const undecided = status === 'manual_review' || (status === 'failed' && failure_class === 'temporary');
  return undecided && content_available && now < expires_at;
}
