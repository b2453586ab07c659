import { Body, Controller, Param, Query } from '@nestjs/common';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { ContentStore, readChecked } from '../../../event-sourcing/index.js';
import { BareAnswer } from '../../../http/answer.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { bytes, MAX_BODY_BYTES } from '../../../http/operation.js';
import { RequestOrigin } from '../../../http/request.js';
import { validated } from '../../../http/validation/read-input.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { AccessNotes } from '../../access-notes.js';
import { OperatorOperation } from '../operator.surface.js';
import { type ArrivingEvent, EventImport, ImportGate } from './event-import.js';
import { ContentBody, ContentsQuery, ExportedEvent, ImportBody } from './export-import.requests.js';

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
    errors: ['WORKER_RUNNING', 'STREAM_DIFFERS'],
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
    errors: ['CONTENT_DAMAGED'],
    success: bytes('The whole document.'),
  })
  async export(@Param('job_id') jobId: string, @RequestOrigin() by: Origin) {
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
    errors: ['CONTENT_MISMATCH'],
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
  const { event_id: id, type, stream, revision, data, metadata } = value;
  return { id, type, stream, revision, data, metadata };
}
