import { type JobDraft, OPTION_NAMES, type PrintOptions } from '../contexts/jobs/index.js';
import type { RecentRestore } from '../contexts/recovery/index.js';
import type { Type } from '@nestjs/common';
import { answer } from '../http/answer.js';
import { ApiError } from '../http/errors/api-error.js';
import { created, ok } from '../http/operation.js';
import { Field, optional } from '../http/validation/field.js';
import { printContent, type PrintContent } from '../http/validation/print-content.js';
import { dateTime, integer, object, text, uuid } from '../http/validation/rules.js';
import type { Instant } from '../kernel/time.js';
import { JobOptions } from './resources/print-options.resource.js';

/** A document to print, and how: the same on every surface. */
export class DocumentRequest {
  @Field(printContent()) content!: PrintContent;
  @Field(integer(1, 20), { optional: true, default: 1 }) copies: number = 1;
  /** For pdf and drawn text. */
  @Field(object(() => JobOptions), optional) options?: JobOptions;
  @Field(text({ max: 120 }), optional) external_id?: string;
  @Field(text({ max: 160 }), optional) title?: string;
  @Field(dateTime(), { optional: true, description: 'In the future, at most 30 days away' })
  expires_at?: string;
}

export class PrintRequest extends DocumentRequest {
  @Field(uuid()) printer_id!: string;
}

/** @throws ApiError 400 for options of raw content */
export function draftOf(
  accountId: string,
  source: JobDraft['source'],
  request: DocumentRequest & { readonly printer_id: string },
): JobDraft {
  const { content } = request;
  return {
    accountId,
    source,
    printerId: request.printer_id,
    contentType: content.type,
    content: content.bytes,
    contentHash: content.sha256,
    copies: request.copies,
    options: optionsOf(request),
    externalId: request.external_id,
    title: request.title,
    expiresAt: request.expires_at,
  };
}

/** In one order, because they count for the idempotency key; undefined without any. */
function optionsOf({ options, content }: DocumentRequest): PrintOptions | undefined {
  const given = NAMES.filter((name) => options?.[name] !== undefined);
  if (given.length === 0) return undefined;
  if (content.type === 'raw') {
    throw new ApiError(
      'invalid',
      `options.${given[0]} cannot be given for raw content: it is printed as it is.`,
    );
  }
  return Object.fromEntries(given.map((name) => [name, valueOf(options![name])]));
}

const NAMES = [...OPTION_NAMES, 'unsupported'] as const;

/** A size with its fields in one order. */
function valueOf(value: PrintOptions[keyof PrintOptions]) {
  return typeof value === 'object' ? { width_mm: value.width_mm, height_mm: value.height_mm } : value;
}

/** Declares the header for the success answers of operations that create a job. */
export const RESTORED_FROM = {
  'Service-Restored-From':
    'Time of the backup that the service was restored from (RFC 3339), for 24 hours after the restore. ' +
    'Idempotency keys used after that time are unknown: a repeat may print again.',
} as const;

/** The header for an answer at `now`; none unless the store was restored in the last 24 hours. */
export function restoredFrom(recent: RecentRestore, now: Instant): Readonly<Record<string, string>> {
  const backupAt = recent.backupAt(now);
  return backupAt === undefined ? {} : { 'service-restored-from': backupAt };
}

/** The header of an answer to a repeat. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** Codes of a surface for a job that was created, and for one that an earlier request had created. */
export interface CreationCodes {
  readonly created: string;
  readonly replayed: string;
}

/** The answers of an operation that creates a job once per Idempotency-Key. */
export const createdOnce = (type: Type, codes: CreationCodes) => [
  created('The job is queued.', type, { code: codes.created, headers: RESTORED_FROM }),
  ok('A replay: the original job as it is now.', type, {
    code: codes.replayed,
    headers: { 'Idempotent-Replayed': 'true on a replay', ...RESTORED_FROM },
  }),
];

export const submittedAnswer = (
  job: object,
  { replayed }: { readonly replayed: boolean },
  headers: Readonly<Record<string, string>> = {},
) =>
  replayed ? answer(job, { status: 200, headers: { ...REPLAYED, ...headers } }) : answer(job, { headers });

/** A request that creates a job, without its printer. */
export const DOCUMENT_EXAMPLE = {
  content: { type: 'text', encoding: 'utf8', data: 'Hello, printer' },
} as const;
export const NAMED_EXAMPLE = {
  ...DOCUMENT_EXAMPLE,
  external_id: 'order-4711',
  title: 'Receipt 4711',
} as const;
