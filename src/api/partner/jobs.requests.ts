import { JOB_STATUSES } from '../../../projections/job-view/job-view.js';
import { PrintRequest } from '../../http/print-request.js';
import { Field } from '../../http/validation/field.js';
import { dateTime, integer, oneOf, text, uuid } from '../../http/validation/rules.js';
import { CursorQuery } from './cursor-lists.js';

const optional = { optional: true } as const;
const orNull = { nullable: true } as const;
const hash = text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/ });

export const PARTNER_JOB_STATUSES = ['queued', 'processing', 'printed', 'failed'] as const;

export class CreateJobBody extends PrintRequest {}

export class ListJobsQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
  @Field(oneOf(...PARTNER_JOB_STATUSES), optional) status?: (typeof PARTNER_JOB_STATUSES)[number];
  @Field(uuid(), optional) printer_id?: string;
}

/** A job in four states: printed and failed are final for whoever polls (contract, section 3.3). */
export class Job {
  @Field(uuid()) job_id!: string;
  @Field(uuid()) account_id!: string;
  @Field(uuid()) printer_id!: string;
  @Field(oneOf(...PARTNER_JOB_STATUSES)) status!: string;
  @Field(oneOf(...JOB_STATUSES), { description: 'Internal detail: not for decisions' }) raw_status!: string;
  @Field(text({ max: 120 }), orNull) external_id!: string | null;
  @Field(text({ max: 160 }), orNull) title!: string | null;
  @Field(oneOf('pdf', 'raw', 'text')) content_type!: string;
  @Field(hash, { description: 'SHA-256 of the decoded bytes' }) content_hash!: string;
  @Field(integer(1, 10_485_760), { description: 'Decoded bytes' }) content_size_bytes!: number;
  @Field(integer(1, 20)) copies!: number;
  @Field(dateTime()) created_at!: string;
  @Field(dateTime()) updated_at!: string;
  @Field(dateTime()) expires_at!: string;
  @Field(dateTime(), orNull) completed_at!: string | null;
  @Field(text({ max: 64 }), orNull) failure_code!: string | null;
  @Field(text({ max: 240 }), orNull) failure_message!: string | null;
}

const id = '01990000-0000-7000-8000-000000000004';

export const jobExample = {
  job_id: id,
  account_id: '01990000-0000-7000-8000-000000000001',
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
} satisfies Job;
