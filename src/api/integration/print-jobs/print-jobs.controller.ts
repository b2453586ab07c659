import { Body, Controller, Headers, Param, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { JobHistoryQueries } from '../../../../projections/job-history/job-history.queries.js';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { CancelJob, SubmitJob, SubmitRetry } from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { type Instant, Clock } from '../../../kernel/time.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { JobPolling } from '../../job-polling.js';
import { pageEtag, revisionEtag, unlessKnown } from '../../polling.js';
import { draftOf, restoredFrom } from '../../print-request.js';
import { Caller, IdempotencyKey, RequestOrigin } from '../../../http/request.js';
import { isRetryable, jobResource } from '../../resources/print-job.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { CreatePrintJobBody, ListPrintJobsQuery, page, ReasonBody } from '../integration.requests.js';
import {
  cancelPrintJob,
  createPrintJob,
  getPrintJob,
  listPrintJobs,
  retryPrintJob,
} from './print-jobs.operations.js';
import { refusalOf } from '../../errors/answers.js';

const REPLAYED = { headers: { 'idempotent-replayed': 'true' } };

@Controller()
export class PrintJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly histories: JobHistoryQueries,
    private readonly printers: PrinterQueries,
    private readonly restore: RecentRestore,
    private readonly polling: JobPolling,
    private readonly clock: Clock,
  ) {}

  @Operation(createPrintJob)
  async create(
    @Body() body: CreatePrintJobBody,
    @IdempotencyKey() key: string,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const at = this.clock.now();
    const draft = draftOf(accountId, 'integration', body);
    const submitted = await this.commands.execute(new SubmitJob({ draft, idempotencyKey: key, at, by }));
    if (!submitted.ok) throw refusalOf('integration', submitted.rejection);
    const job = found(await this.jobs.getSubmittedJob(accountId, submitted));
    const resource = jobResource(job, at);
    const headers = restoredFrom(this.restore, at);
    return submitted.replayed
      ? answer('SVC_JOB_IDEMPOTENT_REPLAY', resource, {
          status: 200,
          headers: { ...REPLAYED.headers, ...headers },
        })
      : answer('SVC_JOB_CREATED', resource, { headers });
  }

  @Operation(listPrintJobs)
  async list(
    @Query() query: ListPrintJobsQuery,
    @Headers('if-none-match') known: string | undefined,
    @Caller() { accountId }: AccountPrincipal,
  ) {
    const { status, printer_id: printerId, external_id: externalId } = query;
    if (printerId && !(await this.printers.getPrinter(accountId, printerId)))
      throw new ApiError('SVC_PRINTER_NOT_FOUND');
    const { items, total } = await this.jobs.listJobs(accountId, { status, printerId, externalId }, query);
    const now = this.clock.now();
    const mark = (job: JobDocument) => `${job.job_id} ${etagOf(job, now)}`;
    return unlessKnown(known, pageEtag([...items.map(mark), `${total}`]), 'SVC_OK', () =>
      page(
        items.map((job) => jobResource(job, now)),
        total,
        query,
      ),
    );
  }

  @Operation(getPrintJob)
  async get(
    @Param('job_id') jobId: string,
    @Caller() caller: AccountPrincipal,
    @Req() request: FastifyRequest,
  ) {
    const { accountId } = caller;
    return this.polling.answer(request, {
      jobId,
      code: 'SVC_OK',
      look: () => this.job(accountId, jobId),
      etagOf: (job) => etagOf(job, this.clock.now()),
      show: (job) => this.detail(job),
      isStillValid: caller.isStillValid,
    });
  }

  @Operation(cancelPrintJob)
  async cancel(
    @Param('job_id') jobId: string,
    @Body() { reason }: ReasonBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    await this.job(accountId, jobId);
    const at = this.clock.now();
    const outcome = await this.commands.execute(new CancelJob({ jobId, reason, at, by }));
    if (!outcome.ok) throw refusalOf('integration', outcome.rejection);
    return answer('SVC_JOB_CANCELLED', jobResource(await this.job(accountId, jobId), at));
  }

  @Operation(retryPrintJob)
  async retry(
    @Param('job_id') jobId: string,
    @Body() { reason }: ReasonBody,
    @IdempotencyKey() key: string,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const at = this.clock.now();
    const command = new SubmitRetry({ accountId, jobId, reason, idempotencyKey: key, at, by });
    const submitted = await this.commands.execute(command);
    if (!submitted.ok) throw refusalOf('integration', submitted.rejection);
    const resource = jobResource(await this.job(accountId, jobId), at);
    return answer('SVC_JOB_RETRIED', resource, submitted.replayed ? REPLAYED : {});
  }

  private async detail(job: JobDocument): Promise<object> {
    return {
      ...jobResource(job, this.clock.now()),
      history_contract: 'svc_job_history_v1',
      ...(await this.histories.getHistory(job.account_id, job.job_id, job.sequence)),
    };
  }

  private async job(accountId: string, jobId: string): Promise<JobDocument> {
    return found(await this.jobs.getJob(accountId, jobId));
  }
}

function found(job: JobDocument | undefined): JobDocument {
  if (!job) throw new ApiError('SVC_JOB_NOT_FOUND');
  return job;
}

/** A job can stop being retryable when it expires, without an event. */
const etagOf = (job: JobDocument, now: Instant) =>
  revisionEtag(job.sequence, ...(isRetryable(job, now) ? ['retryable'] : []));
