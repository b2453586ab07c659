import type { JobDocument, Listing } from '../../../../projections/job-view/job-view.js';
import {
  CONTENT_TYPES,
  type ContentType,
  JOB_STATUSES,
  type JobStatus,
} from '../../../contexts/jobs/index.js';
import { Field, optional, orNull, present } from '../../../http/validation/field.js';
import { constant, dateTime, integer, object, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { JobOptions, JobReceipt } from '../../resources/print-options.resource.js';

const hash = text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ });

export const PARTNER_JOB_STATUSES = ['queued', 'processing', 'printed', 'failed'] as const;
export type PartnerJobStatus = (typeof PARTNER_JOB_STATUSES)[number];

/** Filter values of each of the four statuses that partners see. */
export const PARTNER_LISTINGS: Readonly<Record<PartnerJobStatus, readonly Listing[]>> = {
  queued: ['created', 'queued'],
  processing: ['leased', 'accepted_by_agent', 'sent_to_spooler', 'manual_review', 'retrying'],
  printed: ['spooler_completed'],
  failed: ['failed', 'cancelled', 'expired'],
};

/** A job as shown to partners (docs/partner-api.md); printed and failed are final for polling clients. */
export class Job {
  @Field(uuid()) job_id!: string;
  @Field(uuid()) account_id!: string;
  @Field(constant('live')) environment!: 'live';
  @Field(uuid()) printer_id!: string;
  @Field(oneOf(...PARTNER_JOB_STATUSES)) status!: PartnerJobStatus;
  @Field(oneOf(...JOB_STATUSES), {
    description: 'Internal detail: not for decisions; explainJob says what it means',
  })
  raw_status!: JobStatus;
  @Field(text({ max: 120 }), orNull) external_id!: string | null;
  @Field(text({ max: 160 }), orNull) title!: string | null;
  @Field(oneOf(...CONTENT_TYPES)) content_type!: ContentType;
  @Field(hash, { description: 'SHA-256 of the decoded bytes' }) content_hash!: string;
  @Field(integer(1, 10_485_760), { description: 'Decoded bytes' }) content_size_bytes!: number;
  @Field(integer(1, 20)) copies!: number;
  @Field(object(() => JobOptions), optional) options?: JobOptions;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime()) updated_at!: Instant;
  @Field(dateTime()) expires_at!: Instant;
  @Field(dateTime(), orNull) completed_at!: Instant | null;
  @Field(text({ max: 64 }), orNull) failure_code!: string | null;
  @Field(text({ max: 240 }), orNull) failure_message!: string | null;
  @Field(object(() => JobReceipt), optional) receipt?: JobReceipt;

  static readonly example: Job = {
    job_id: '01990000-0000-7000-8000-000000000004',
    account_id: '01990000-0000-7000-8000-000000000001',
    environment: 'live',
    printer_id: '01990000-0000-7000-8000-000000000003',
    status: 'queued',
    raw_status: 'queued',
    external_id: 'order-4711',
    title: 'Receipt 4711',
    content_type: 'text',
    content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    content_size_bytes: 14,
    copies: 1,
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
    expires_at: '2026-11-22T12:00:00.000Z',
    completed_at: null,
    failure_code: null,
    failure_message: null,
  };
}

const STATUS_OF = new Map(
  PARTNER_JOB_STATUSES.flatMap((status) =>
    PARTNER_LISTINGS[status].map((listing) => [listing, status] as const),
  ),
);

export function partnerJobResource(document: JobDocument): Job {
  const { status: raw_status, listed_as } = document;
  const status = STATUS_OF.get(listed_as)!;
  return present(Job, document, { environment: 'live', status, raw_status });
}
