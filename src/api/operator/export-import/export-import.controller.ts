import { Body, Controller, Param, Query } from '@nestjs/common';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { ContentStore, readChecked } from '../../../event-sourcing/index.js';
import { BareAnswer } from '../../../http/answer.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { bytes, MAX_BODY_BYTES } from '../../../http/operation.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { printContent, type PrintContent } from '../../../http/validation/print-content.js';
import { validated } from '../../../http/validation/read-input.js';
import {
  anyObject,
  integer,
  listOf,
  momentOf,
  type Rule,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { EventMetadata } from '../../../kernel/recorded-event.js';
import { TRACEPARENT } from '../../../kernel/tracing.js';
import { AccessNotes } from '../../access-notes.js';
import { exportedHash } from '../../resources/stored-event.resource.js';
import { OperatorOperation } from '../operator.surface.js';
import { type ArrivingEvent, EventImport, ImportGate } from './event-import.js';

const KINDS: Readonly<Record<EventMetadata['actor']['kind'], true>> = {
  api_key: true,
  partner: true,
  device: true,
  enrollment: true,
  operator: true,
  member: true,
  process: true,
};

function isMetadata(value: unknown): value is EventMetadata {
  if (!isRecord(value)) return false;
  const { at, schemaVersion, correlationId, actor, ...more } = value;
  const { requestId, causationId, accountId, traceparent, ...rest } = more;
  return (
    Object.keys(rest).length === 0 &&
    isText(at) &&
    momentOf(at) !== undefined &&
    Number.isSafeInteger(schemaVersion) &&
    (schemaVersion as number) >= 1 &&
    isText(correlationId) &&
    isActor(actor) &&
    [requestId, causationId, accountId].every((id) => id === undefined || isText(id)) &&
    (traceparent === undefined || (isText(traceparent) && TRACEPARENT.test(traceparent)))
  );
}

function isActor(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, id } = value;
  return isText(kind) && Object.hasOwn(KINDS, kind) && isText(id);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 500;

const metadata: Rule = {
  ...anyObject(),
  message: 'must hold at, schemaVersion, correlationId and actor as they were exported',
  accepts: isMetadata,
};

/** An event as shown by `GET /operator/events`. Its position belongs to the source and is not imported. */
export class ExportedEvent {
  @Field(uuid()) event_id!: string;
  @Field(text({ max: 60, pattern: /^[A-Z][A-Za-z]*$/, message: 'must be the type of an event' }))
  type!: string;
  @Field(text({ max: 130, pattern: /^[A-Za-z]{1,40}-[0-9a-fA-F-]{1,80}$/, message: 'must be a stream' }))
  stream!: string;
  @Field(integer(0, 1_000_000_000)) revision!: number;
  @Field(text({ max: 20 }), optional) position?: string;
  @Field(text({ max: 40 }), optional) recorded_at?: string;
  @Field(anyObject()) data!: object;
  @Field(metadata) metadata!: EventMetadata;
  @Field(text({ max: 44 }), optional) body_hash?: string;
}

export class ImportBody {
  @Field(listOf(anyObject(), { min: 1, max: 500 })) events!: object[];
}

export class ContentBody {
  @Field(printContent()) content!: PrintContent;
}

export class ContentsQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(uuid(), optional) after?: string;
}

/** Exports and imports: events with their ids and order, and the documents of their jobs. */
@Controller()
export class ExportImportController {
  constructor(
    private readonly gate: ImportGate,
    private readonly events: EventImport,
    private readonly contents: ContentStore,
    private readonly jobs: JobQueries,
    private readonly notes: AccessNotes,
  ) {}

  @OperatorOperation({
    id: 'importEvents',
    route: 'POST /v1/operator/events',
    summary: 'Store events of another installation',
    body: ImportBody,
    maxBodyBytes: MAX_BODY_BYTES,
  })
  async importEvents(@Body() { events }: ImportBody) {
    const arriving = events.map(arrivingOf);
    if (!(await this.gate.isOpen())) throw new ApiError('WORKER_RUNNING');
    return this.events.take(arriving);
  }

  @OperatorOperation({
    id: 'listContents',
    route: 'GET /v1/operator/contents',
    summary: 'Documents of jobs that may still be printed',
    query: ContentsQuery,
  })
  async list(@Query() { after, limit }: ContentsQuery) {
    const ids = await this.contents.ids(after, limit);
    const jobs = await Promise.all(ids.map((id) => this.jobs.getJobOfAnyAccount(id)));
    const items = jobs.flatMap((job) =>
      job?.content_available
        ? [{ job_id: job.job_id, content_hash: job.content_hash, size_bytes: job.content_size_bytes }]
        : [],
    );
    // A page may hold fewer documents than it examined; the next page starts after the last examined id.
    return { items, next: ids.length === limit ? ids.at(-1) : null };
  }

  @OperatorOperation({
    id: 'exportContent',
    route: 'GET /v1/operator/contents/:job_id',
    summary: 'Bytes of a document',
    params: { job_id: 'CONTENT_NOT_FOUND' },
    success: bytes('The whole document.'),
  })
  async export(@Param('job_id') jobId: string, @Caller() { by }: Calling) {
    const job = orNotFound(await this.jobs.getJobOfAnyAccount(jobId), 'CONTENT_NOT_FOUND');
    const found = await readChecked(this.contents, job);
    if (found.state !== 'whole')
      throw new ApiError(found.state === 'missing' ? 'CONTENT_NOT_FOUND' : 'CONTENT_DAMAGED');
    const opened = { type: 'OperatorOpenedDocument', data: { jobId } } as const;
    await this.notes.operatorReads(job.account_id, opened, by);
    return new BareAnswer(200, found.body, {
      'content-type': 'application/octet-stream',
      'content-length': `${job.content_size_bytes}`,
    });
  }

  @OperatorOperation({
    id: 'importContent',
    route: 'PUT /v1/operator/contents/:job_id',
    summary: 'Store the document of a job that was imported',
    body: ContentBody,
    carriesContent: true,
  })
  async import(@Param('job_id') jobId: string, @Body() { content }: ContentBody) {
    const job = orNotFound(await this.jobs.getJobOfAnyAccount(jobId), 'JOB_NOT_FOUND');
    if (job.content_hash !== content.sha256) throw new ApiError('CONTENT_MISMATCH');
    if (job.content_available) await this.contents.put(jobId, content.bytes);
    return { job_id: jobId, size_bytes: content.size, stored: job.content_available };
  }
}

function arrivingOf(given: object, index: number): ArrivingEvent {
  const { value, problems } = validated(ExportedEvent, given);
  if (!value) throw new ApiError('invalid', `events[${index}]: ${problems.join('; ')}.`);
  const { event_id: id, type, stream, revision, data, metadata, body_hash } = value;
  const event = { id, type, stream, revision, data, metadata };
  if (body_hash !== undefined && body_hash !== exportedHash(event))
    throw new ApiError(
      'invalid',
      `events[${index}]: event ${revision} of ${stream} is not as it was exported.`,
    );
  return event;
}
