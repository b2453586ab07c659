import { Body, Controller, Headers, Param, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { JobHistory } from '../../../../projections/job-history/job-history.js';
import { JobHistoryQueries } from '../../../../projections/job-history/job-history.queries.js';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PastQueries } from '../../../../projections/past/past.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import {
  CancelJob,
  JOB_STATUSES,
  JobExplanations,
  SubmitJob,
  SubmitRetry,
} from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { answer } from '../../../http/answer.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, IdempotencyKey } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { ListQuery, page } from '../../lists.js';
import { ETAG, IF_NONE_MATCH, JOB_POLLING, JobPolling, UNCHANGED, unlessCurrent } from '../../polling.js';
import {
  draftOf,
  NAMED_EXAMPLE,
  PrintRequest,
  REPLAYED,
  restoredFrom,
  submittedAnswer,
} from '../../print-request.js';
import { JobExplanation } from '../../resources/explanation.resource.js';
import { jobExamples, jobResource, PrintJob } from '../../resources/print-job.resource.js';
import type { AccountCaller, AccountPrincipal } from '../api-key.authenticator.js';
import { Validators } from '../../validators.js';
import { integration } from '../integration.surface.js';
import { CREATED_ONCE, CREATION_ERRORS } from './creation.controller.js';
import { PrintJobDetail } from './print-job-detail.resource.js';

export class CreatePrintJobBody extends PrintRequest {}

export class ReasonBody {
  @Field(text({ max: 500 }), optional) reason?: string;
}

export class ListPrintJobsQuery extends ListQuery {
  @Field(oneOf(...JOB_STATUSES), optional) status?: (typeof JOB_STATUSES)[number];
  @Field(uuid(), optional) printer_id?: string;
  @Field(text({ max: 120 }), optional) external_id?: string;
}

export class GetPrintJobQuery {
  @Field(dateTime(), { optional: true, description: 'The job as it was at this moment; a later one is now' })
  at?: Instant;
}

const Operation = operationsOf(integration, { tag: 'Jobs' });

const createPrintJob = Operation({
  id: 'createPrintJob',
  route: 'POST /v1/svc-api-print-jobs',
  summary: 'Create a print job',
  description:
    'Creates a job exactly once per Idempotency-Key. A repeat with the same payload answers the job as it is now ' +
    'with 200 and `Idempotent-Replayed: true`; another payload under the same key is a conflict.',
  scopes: ['jobs:create'],
  limit: { perMinute: 60 },
  idempotencyKey: true,
  carriesContent: true,
  body: CreatePrintJobBody,
  requestExample: { printer_id: PrintJob.example.printer_id, ...NAMED_EXAMPLE },
  success: CREATED_ONCE,
  errors: CREATION_ERRORS,
});

@Controller()
export class PrintJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly histories: JobHistoryQueries,
    private readonly past: PastQueries,
    private readonly printers: PrinterQueries,
    private readonly restore: RecentRestore,
    private readonly polling: JobPolling,
    private readonly validators: Validators,
    private readonly clock: Clock,
  ) {}

  @createPrintJob
  async create(
    @Body() body: CreatePrintJobBody,
    @IdempotencyKey() key: string,
    @Caller() { accountId, by }: AccountCaller,
  ) {
    const at = this.clock.now();
    const draft = draftOf(accountId, 'integration', body);
    const command = new SubmitJob({ draft, idempotencyKey: key, at, by });
    const submitted = orRefuse('integration', await this.commands.execute(command));
    const job = orNotFound(await this.jobs.getSubmittedJob(accountId, submitted), 'SVC_JOB_NOT_FOUND');
    return submittedAnswer(jobResource(job, at), submitted, restoredFrom(this.restore, at));
  }

  @Operation({
    id: 'listPrintJobs',
    route: 'GET /v1/svc-api-print-jobs',
    summary: 'List print jobs',
    description: 'Newest first.',
    scopes: ['jobs:read'],
    limit: { perMinute: 120 },
    query: ListPrintJobsQuery,
    headers: IF_NONE_MATCH,
    success: [ok('A page of jobs.', PrintJob, { list: 'page', headers: ETAG }), UNCHANGED],
    errors: ['SVC_PRINTER_NOT_FOUND'],
  })
  async list(
    @Query() query: ListPrintJobsQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Caller() { accountId }: AccountPrincipal,
  ) {
    const { status, printer_id: printerId, external_id: externalId } = query;
    if (printerId) orNotFound(await this.printers.getPrinter(accountId, printerId), 'SVC_PRINTER_NOT_FOUND');
    const { items, total } = await this.jobs.listJobs(accountId, { status, printerId, externalId }, query);
    const now = this.clock.now();
    const mark = (job: JobDocument) => `${job.job_id} ${this.validators.ofJob(job, now)}`;
    return unlessCurrent(ifNoneMatch, this.validators.ofPage([...items.map(mark), `${total}`]), () =>
      page(
        items.map((job) => jobResource(job, now)),
        total,
        query,
      ),
    );
  }

  @Operation({
    id: 'getPrintJob',
    route: 'GET /v1/svc-api-print-jobs/:job_id',
    summary: 'Get a print job with its history',
    description:
      `${JOB_POLLING.description} With \`at\` the job is shown as it was at that moment, folded from its events; ` +
      'before it existed it is unknown.',
    scopes: ['jobs:read'],
    limit: { perMinute: 120 },
    query: GetPrintJobQuery,
    headers: JOB_POLLING.headers,
    success: [
      ok('The job and its timeline, oldest first.', PrintJobDetail, { headers: JOB_POLLING.changed }),
      JOB_POLLING.unchanged,
    ],
  })
  async get(
    @Param('job_id') jobId: string,
    @Query() { at }: GetPrintJobQuery,
    @Caller() caller: AccountPrincipal,
    @Req() request: FastifyRequest,
  ) {
    const { accountId } = caller;
    if (at !== undefined && at < this.clock.now()) return this.jobAt(accountId, jobId, at, request);
    return this.polling.answer(request, {
      jobId,
      read: () => this.job(accountId, jobId),
      etagOf: (job) => this.validators.ofJob(job, this.clock.now()),
      show: (job) => this.detail(job),
      isStillValid: caller.isStillValid,
    });
  }

  @Operation({
    id: 'cancelPrintJob',
    route: 'POST /v1/svc-api-print-jobs/:job_id/cancel',
    summary: 'Cancel a print job',
    description: 'Possible until an agent has accepted the job.',
    scopes: ['jobs:cancel'],
    limit: { perMinute: 60 },
    body: ReasonBody,
    requestExample: { reason: 'ordered twice' },
    success: ok('The job is cancelled.', PrintJob, {
      code: 'SVC_JOB_CANCELLED',
      example: jobExamples.cancelled,
    }),
    errors: ['SVC_JOB_STATE_CONFLICT'],
  })
  async cancel(
    @Param('job_id') jobId: string,
    @Body() { reason }: ReasonBody,
    @Caller() { accountId, by }: AccountCaller,
  ) {
    await this.job(accountId, jobId);
    const at = this.clock.now();
    orRefuse('integration', await this.commands.execute(new CancelJob({ jobId, reason, at, by })));
    return jobResource(await this.job(accountId, jobId), at);
  }

  @Operation({
    id: 'retryPrintJob',
    route: 'POST /v1/svc-api-print-jobs/:job_id/retry',
    summary: 'Retry a print job',
    description: 'Queues a job again that failed for now, or that waits for manual review.',
    scopes: ['jobs:retry'],
    limit: { perMinute: 60 },
    idempotencyKey: true,
    body: ReasonBody,
    requestExample: { reason: 'paper was out' },
    success: ok('The job is queued again, or was by an earlier request with this key.', PrintJob, {
      code: 'SVC_JOB_RETRIED',
      headers: { 'Idempotent-Replayed': 'true on a replay' },
      example: { ...PrintJob.example, retry_count: 1, retry_state: 'submitted' },
    }),
    errors: ['SVC_JOB_STATE_CONFLICT', 'SVC_JOB_RETRY_DUPLICATION_RISK', 'SVC_JOB_IDEMPOTENCY_CONFLICT'],
  })
  async retry(
    @Param('job_id') jobId: string,
    @Body() { reason }: ReasonBody,
    @IdempotencyKey() key: string,
    @Caller() { accountId, by }: AccountCaller,
  ) {
    const at = this.clock.now();
    const command = new SubmitRetry({ accountId, jobId, reason, idempotencyKey: key, at, by });
    const submitted = orRefuse('integration', await this.commands.execute(command));
    const resource = jobResource(await this.job(accountId, jobId), at);
    return answer(resource, submitted.replayed ? { headers: REPLAYED } : {});
  }

  private async detail(job: JobDocument): Promise<object> {
    const history = await this.histories.getHistory(job.account_id, job.job_id, job.sequence);
    return detailOf(job, history, this.clock.now());
  }

  private async jobAt(accountId: string, jobId: string, at: Instant, { headers }: FastifyRequest) {
    const past = await this.past.job(jobId, at);
    if (past?.job.account_id !== accountId) throw new ApiError('SVC_JOB_NOT_FOUND');
    const { job, history } = past;
    return unlessCurrent(headers['if-none-match'], this.validators.ofJob(job, at), () =>
      detailOf(job, history, at),
    );
  }

  private async job(accountId: string, jobId: string): Promise<JobDocument> {
    return orNotFound(await this.jobs.getJob(accountId, jobId), 'SVC_JOB_NOT_FOUND');
  }
}

const detailOf = (job: JobDocument, history: JobHistory, now: Instant) => ({
  ...jobResource(job, now),
  history_contract: 'svc_job_history_v1',
  ...history,
});

@Controller()
export class ExplanationController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly explanations: JobExplanations,
  ) {}

  @Operation({
    id: 'explainPrintJob',
    route: 'GET /v1/svc-api-print-jobs/:job_id/explanation',
    summary: 'Explain why a print job has not printed',
    description:
      'What holds it up, since when, which events show it, and what to do. `verdict`, `cause` and `action` are from ' +
      'closed lists; texts are for people and may change.',
    scopes: ['jobs:read'],
    limit: { perMinute: 120 },
    success: ok('The explanation as of now.', JobExplanation),
  })
  async explain(@Param('job_id') jobId: string, @Caller() { accountId }: AccountPrincipal) {
    orNotFound(await this.jobs.getJob(accountId, jobId), 'SVC_JOB_NOT_FOUND');
    return this.explanations.explain(jobId);
  }
}
