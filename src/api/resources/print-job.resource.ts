import type { JobDocument } from '../../../projections/job-view/job-view.js';
import {
  canCancel,
  canRetry,
  CONTENT_TYPES,
  type ContentType,
  FAILURE_CLASSES,
  type FailureClass,
  isFinal,
  JOB_STATUSES,
  type JobStatus,
} from '../../contexts/jobs/index.js';
import { Field, optional, present } from '../../http/validation/field.js';
import {
  boolean,
  constant,
  count,
  dateTime,
  integer,
  object,
  oneOf,
  text,
  uuid,
} from '../../http/validation/rules.js';
import { elapsed, type Instant } from '../../kernel/time.js';
import { JobOptions, JobReceipt } from './print-options.resource.js';

const hash = text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ });
/** The contract limits the length, so event schemas state it too. */
const atMost = (maxLength: number) => ({ ...optional, inEvents: { type: 'string', maxLength } }) as const;

const RETRY_STATES = ['none', 'scheduled', 'submitted', 'completed', 'exhausted', 'manual_review'] as const;

/** A print job as the Integration API, operators and webhooks show it. */
export class PrintJob {
  @Field(constant('svc_job_v1')) contract!: 'svc_job_v1';
  @Field(constant('live')) environment!: 'live';
  @Field(uuid()) job_id!: string;
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 40 }), optional) printer_code?: string;
  @Field(text({ max: 180 }), optional) printer_name?: string;
  @Field(text({ max: 255 }), optional) computer_name?: string;
  @Field(text({ max: 120 }), atMost(120)) external_id?: string;
  @Field(text({ max: 160 }), atMost(160)) title?: string;
  @Field(oneOf(...CONTENT_TYPES)) content_type!: ContentType;
  @Field(hash, { description: 'SHA-256 of the decoded bytes' }) content_hash!: string;
  @Field(integer(1, 10_485_760), {
    description: 'Decoded bytes',
    inEvents: { type: 'integer', minimum: 1 },
  })
  content_size_bytes!: number;
  @Field(integer(1, 20)) copies!: number;
  @Field(object(() => JobOptions), optional) options?: JobOptions;
  @Field(oneOf(...JOB_STATUSES)) status!: JobStatus;
  @Field(count, { description: 'Leases granted' }) attempt_count!: number;
  @Field(count, { description: 'Times it came back to queued by a retry' }) retry_count!: number;
  @Field(integer(1, 10)) max_auto_retries!: number;
  @Field(uuid(), { optional: true, description: 'The job whose document it prints again' })
  reprint_of?: string;
  @Field(oneOf(...RETRY_STATES)) retry_state!: (typeof RETRY_STATES)[number];
  @Field(dateTime(), optional) next_attempt_at?: Instant;
  @Field(dateTime(), optional) last_attempt_at?: Instant;
  @Field(dateTime(), optional) last_failure_at?: Instant;
  @Field(text({ max: 64 }), optional) failure_code?: string;
  @Field(oneOf(...FAILURE_CLASSES), optional) failure_class?: FailureClass;
  @Field(text({ max: 240 }), atMost(240)) failure_message?: string;
  @Field(dateTime(), optional) manual_review_at?: Instant;
  @Field(text({ max: 64 }), optional) spooler_provider?: string;
  @Field(text({ max: 128 }), atMost(128)) spooler_job_id?: string;
  @Field(dateTime(), optional) spooler_submitted_at?: Instant;
  @Field(dateTime(), optional) spooler_completed_at?: Instant;
  @Field(object(() => JobReceipt), optional) receipt?: JobReceipt;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime()) updated_at!: Instant;
  @Field(dateTime()) expires_at!: Instant;
  @Field(dateTime(), optional) cancelled_at?: Instant;
  @Field(text({ max: 500 }), optional) cancellation_reason?: string;
  @Field(dateTime(), optional) completed_at?: Instant;
  @Field(count) duration_ms!: number;
  @Field(boolean(), { description: 'True only for spooler_completed, cancelled, expired' })
  is_final!: boolean;
  @Field(boolean()) can_cancel!: boolean;
  @Field(boolean()) can_retry!: boolean;

  static get example(): PrintJob {
    return jobExamples.queued;
  }
}

export function jobResource(document: JobDocument, now: Instant): PrintJob {
  return present(PrintJob, document, {
    contract: 'svc_job_v1',
    environment: 'live',
    duration_ms: elapsed(document.created_at, endOf(document)),
    is_final: isFinal(document.status),
    can_cancel: canCancel(document.status),
    can_retry: isRetryable(document, now),
  });
}

export function isRetryable(document: JobDocument, now: Instant): boolean {
  const { status, failure_class: failureClass, content_available, expires_at: expiresAt } = document;
  return canRetry({ status, failureClass, contentAvailable: content_available, expiresAt }, now);
}

function endOf(document: JobDocument): Instant {
  const { completed_at, cancelled_at, expired_at, updated_at } = document;
  return completed_at ?? cancelled_at ?? expired_at ?? updated_at;
}

const at = (time: string) => `2026-11-21T12:${time}Z`;

const queued: PrintJob = {
  contract: 'svc_job_v1',
  environment: 'live',
  job_id: '019aa000-0000-7000-8000-0000000000d1',
  printer_id: '019aa000-0000-7000-8000-0000000000b1',
  printer_code: 'PR-1A2B3C4D',
  printer_name: 'Label printer',
  computer_name: 'WAREHOUSE-1',
  external_id: 'order-1042',
  title: 'Label for order 1042',
  content_type: 'pdf',
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  content_size_bytes: 48_213,
  copies: 1,
  options: JobOptions.example,
  status: 'queued',
  attempt_count: 0,
  retry_count: 0,
  max_auto_retries: 3,
  retry_state: 'none',
  created_at: at('00:00.000'),
  updated_at: at('00:00.000'),
  expires_at: '2026-11-22T12:00:00.000Z',
  duration_ms: 0,
  is_final: false,
  can_cancel: true,
  can_retry: false,
};
const leased: PrintJob = {
  ...queued,
  status: 'leased',
  attempt_count: 1,
  last_attempt_at: at('00:01.250'),
  updated_at: at('00:01.250'),
  duration_ms: 1250,
};
const accepted: PrintJob = {
  ...leased,
  status: 'accepted_by_agent',
  updated_at: at('00:01.900'),
  duration_ms: 1900,
  can_cancel: false,
};
const spooled: PrintJob = {
  ...accepted,
  status: 'sent_to_spooler',
  spooler_provider: 'windows',
  spooler_job_id: '17',
  spooler_submitted_at: at('00:02.400'),
  receipt: JobReceipt.example,
  updated_at: at('00:02.400'),
  duration_ms: 2400,
};

export const jobExamples = {
  created: { ...queued, status: 'created' },
  queued,
  leased,
  accepted_by_agent: accepted,
  sent_to_spooler: spooled,
  spooler_completed: {
    ...spooled,
    status: 'spooler_completed',
    spooler_completed_at: at('00:06.000'),
    completed_at: at('00:06.000'),
    updated_at: at('00:06.000'),
    duration_ms: 6000,
    is_final: true,
  },
  failed: {
    ...accepted,
    status: 'failed',
    failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
    failure_class: 'temporary',
    retry_state: 'scheduled',
    last_failure_at: at('02:01.900'),
    next_attempt_at: at('02:16.900'),
    updated_at: at('02:01.900'),
    duration_ms: 121_900,
    can_retry: true,
  },
  manual_review: {
    ...spooled,
    status: 'manual_review',
    failure_code: 'SPOOLER_VANISHED',
    failure_class: 'ambiguous',
    retry_state: 'manual_review',
    last_failure_at: at('05:00.000'),
    manual_review_at: at('05:00.000'),
    updated_at: at('05:00.000'),
    expires_at: '2026-11-24T12:05:00.000Z',
    duration_ms: 300_000,
    can_retry: true,
  },
  cancelled: {
    ...queued,
    status: 'cancelled',
    cancelled_at: at('00:30.000'),
    cancellation_reason: 'ordered twice',
    updated_at: at('00:30.000'),
    duration_ms: 30_000,
    is_final: true,
    can_cancel: false,
  },
  expired: {
    ...queued,
    status: 'expired',
    updated_at: '2026-11-22T12:00:00.000Z',
    duration_ms: 86_400_000,
    is_final: true,
    can_cancel: false,
  },
} satisfies Record<JobStatus, PrintJob>;
