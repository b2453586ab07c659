import { MAX_HISTORY_EVENTS } from '../../../../projections/job-history/job-history.js';
import { JOB_STATUSES } from '../../../../projections/job-view/job-view.js';
import { Field } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  shaped,
  text,
  uuid,
} from '../../../http/validation/rules.js';

const hash = text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ });
const anyCount = integer(0, Number.MAX_SAFE_INTEGER);
const optional = { optional: true } as const;

/** A print job (contract, section 2.6). */
export class PrintJob {
  @Field(constant('svc_job_v1')) contract!: string;
  @Field(constant('live')) environment!: string;
  @Field(uuid()) job_id!: string;
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 40 }), optional) printer_code?: string;
  @Field(text({ max: 180 }), optional) printer_name?: string;
  @Field(text({ max: 255 }), optional) computer_name?: string;
  @Field(text({ max: 120 }), optional) external_id?: string;
  @Field(text({ max: 160 }), optional) title?: string;
  @Field(oneOf('pdf', 'raw', 'text')) content_type!: string;
  @Field(hash, { description: 'SHA-256 of the decoded bytes' }) content_hash!: string;
  @Field(integer(1, 10_485_760), { description: 'Decoded bytes' }) content_size_bytes!: number;
  @Field(integer(1, 20)) copies!: number;
  @Field(oneOf(...JOB_STATUSES)) status!: string;
  @Field(anyCount, { description: 'Leases granted' }) attempt_count!: number;
  @Field(anyCount, { description: 'Times it came back to queued by a retry' }) retry_count!: number;
  @Field(integer(1, 10)) max_auto_retries!: number;
  @Field(oneOf('none', 'scheduled', 'submitted', 'completed', 'exhausted', 'manual_review'))
  retry_state!: string;
  @Field(dateTime(), optional) next_attempt_at?: string;
  @Field(dateTime(), optional) last_attempt_at?: string;
  @Field(dateTime(), optional) last_failure_at?: string;
  @Field(text({ max: 64 }), optional) failure_code?: string;
  @Field(oneOf('temporary', 'permanent', 'ambiguous'), optional) failure_class?: string;
  @Field(text({ max: 240 }), optional) failure_message?: string;
  @Field(dateTime(), optional) manual_review_at?: string;
  @Field(text({ max: 64 }), optional) spooler_provider?: string;
  @Field(text({ max: 128 }), optional) spooler_job_id?: string;
  @Field(dateTime(), optional) spooler_submitted_at?: string;
  @Field(dateTime(), optional) spooler_completed_at?: string;
  @Field(dateTime()) created_at!: string;
  @Field(dateTime()) updated_at!: string;
  @Field(dateTime()) expires_at!: string;
  @Field(dateTime(), optional) cancelled_at?: string;
  @Field(text({ max: 500 }), optional) cancellation_reason?: string;
  @Field(dateTime(), optional) completed_at?: string;
  @Field(anyCount) duration_ms!: number;
  @Field(boolean(), { description: 'True only for spooler_completed, cancelled, expired' })
  is_final!: boolean;
  @Field(boolean()) can_cancel!: boolean;
  @Field(boolean()) can_retry!: boolean;
}

/** One line of a job's timeline. */
export class JobHistoryEvent {
  @Field(uuid()) event_id!: string;
  @Field(text({ max: 64 })) event_type!: string;
  @Field(oneOf(...JOB_STATUSES), optional) previous_status?: string;
  @Field(oneOf(...JOB_STATUSES), optional) new_status?: string;
  @Field(oneOf('ok', 'failed', 'scheduled', 'ambiguous', 'cancelled', 'expired', 'recorded'))
  outcome!: string;
  @Field(dateTime()) created_at!: string;
  @Field(
    shaped({
      type: 'object',
      additionalProperties: false,
      properties: {
        reason: { type: 'string' },
        failure_code: { type: 'string' },
        failure_class: { type: 'string' },
        retry_delay_seconds: { type: 'integer', minimum: 0 },
        spooler_provider: { type: 'string' },
        physical_print_confirmed: { type: 'boolean', const: false },
      },
    }),
    optional,
  )
  details?: object;
}

/** A print job with its history, oldest first. */
export class PrintJobDetail extends PrintJob {
  @Field(constant('svc_job_history_v1')) history_contract!: string;
  @Field(
    listOf(
      object(() => JobHistoryEvent),
      { max: MAX_HISTORY_EVENTS },
    ),
    { description: 'The newest events, oldest first' },
  )
  history!: JobHistoryEvent[];
  @Field(constant(true), { optional: true, description: 'Present when older events were left out' })
  history_truncated?: boolean;
}

export const jobExample = {
  contract: 'svc_job_v1',
  environment: 'live',
  job_id: '01990000-0000-7000-8000-000000000001',
  printer_id: '01990000-0000-7000-8000-000000000002',
  printer_code: 'PR-0A1B2C3D',
  printer_name: 'Till 1',
  computer_name: 'FRONT-DESK',
  external_id: 'order-4711',
  title: 'Receipt 4711',
  content_type: 'pdf',
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  content_size_bytes: 14230,
  copies: 1,
  status: 'queued',
  attempt_count: 0,
  retry_count: 0,
  max_auto_retries: 3,
  retry_state: 'none',
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-22T12:00:00.000Z',
  duration_ms: 0,
  is_final: false,
  can_cancel: true,
  can_retry: false,
} satisfies PrintJob;
