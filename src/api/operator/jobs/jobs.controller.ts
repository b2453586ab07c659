import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { JobHistoryQueries } from '../../../../projections/job-history/job-history.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PastQueries } from '../../../../projections/past/past.queries.js';
import type { PrinterDocument } from '../../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import {
  JOB_STATUSES,
  JobExplanations,
  ReleaseRestoredJobs,
  SubmitJob,
} from '../../../contexts/jobs/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { created, ok } from '../../../http/operation.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { idempotencyKey } from '../../job-batches.js';
import { DocumentRequest, draftOf, submittedAnswer } from '../../print-request.js';
import {
  operatedAccountResource,
  operatedComputerResource,
  OperatedComputers,
  operatedJobResource,
  OperatorListQuery,
} from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

export class ReleaseJobsBody {
  @Field(dateTime()) restored_before!: string;
}

export class CreateJobBody extends DocumentRequest {
  @Field(text({ max: 180 }), { description: 'Id, code, name, or the first 6 characters or more of an id' })
  printer!: string;
  @Field(uuid(), { optional: true, description: 'Of the printer, if its name is not unique' })
  account_id?: string;
  @Field(idempotencyKey, optional) idempotency_key?: string;
}

export class JobListQuery extends OperatorListQuery {
  @Field(uuid(), optional) account_id?: string;
  @Field(oneOf(...JOB_STATUSES), optional) status?: (typeof JOB_STATUSES)[number];
}

export class ShowJobQuery {
  @Field(dateTime(), { optional: true, description: 'All of it as it was at this moment' }) at?: string;
}

@Controller()
export class OperatorJobsController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly histories: JobHistoryQueries,
    private readonly past: PastQueries,
    private readonly explanations: JobExplanations,
    private readonly accounts: AccountQueries,
    private readonly computers: OperatedComputers,
    private readonly printers: PrinterQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'listJobs',
    route: 'GET /v1/operator/jobs',
    summary: 'List jobs of all accounts or of one, newest first',
    query: JobListQuery,
  })
  async list(@Query() { account_id: accountId, status, limit, offset }: JobListQuery) {
    if (accountId) orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    const { items, total } = await this.jobs.listJobsOfAnyAccount({ accountId, status }, { limit, offset });
    const now = this.clock.now();
    return { items: items.map((job) => operatedJobResource(job, now)), total };
  }

  @OperatorOperation({
    id: 'showJob',
    route: 'GET /v1/operator/jobs/:job_id',
    summary: 'Get a job with its history, account and computer',
    query: ShowJobQuery,
  })
  async get(@Param('job_id') jobId: string, @Query() { at }: ShowJobQuery) {
    if (at !== undefined && at < this.clock.now()) return this.jobAt(jobId, at);
    const job = orNotFound(await this.jobs.getJobOfAnyAccount(jobId), 'JOB_NOT_FOUND');
    const [account, computer, history] = await Promise.all([
      this.accounts.getAccount(job.account_id),
      this.computers.get(job.computer_id),
      this.histories.getHistory(job.account_id, jobId, job.sequence),
    ]);
    const shown = account ? operatedAccountResource(account) : null;
    return detailOf(operatedJobResource(job, this.clock.now()), shown, computer ?? null, history);
  }

  @OperatorOperation({
    id: 'explainJob',
    route: 'GET /v1/operator/jobs/:job_id/explanation',
    summary: 'Explain why a job has not printed',
    limit: { perMinute: 120 },
  })
  async explain(@Param('job_id') jobId: string) {
    orNotFound(await this.jobs.getJobOfAnyAccount(jobId), 'JOB_NOT_FOUND');
    return this.explanations.explain(jobId);
  }

  @OperatorOperation({
    id: 'createJob',
    route: 'POST /v1/operator/jobs',
    summary: 'Create a job for a printer, named by its id, code or name',
    body: CreateJobBody,
    carriesContent: true,
    success: [created('The job is queued.', {}), ok('A repeat: the job as it is now.', {})],
  })
  async create(@Body() body: CreateJobBody, @Caller() { by }: Calling) {
    const { account_id: accountId, printer_id } = await this.printer(body);
    const at = this.clock.now();
    const draft = draftOf(accountId, 'operator', { ...body, printer_id });
    const command = new SubmitJob({ draft, idempotencyKey: body.idempotency_key, at, by });
    const submitted = orRefuse('operator', await this.commands.execute(command));
    const job = orNotFound(await this.jobs.getSubmittedJob(accountId, submitted), 'JOB_NOT_FOUND');
    return submittedAnswer(operatedJobResource(job, at), submitted);
  }

  @OperatorOperation({
    id: 'releaseRestoredJobs',
    route: 'POST /v1/operator/jobs/release',
    summary: 'Print the jobs again that a restore parked before a moment',
    body: ReleaseJobsBody,
  })
  async release(@Body() { restored_before }: ReleaseJobsBody, @Caller() { by }: Calling) {
    const command = new ReleaseRestoredJobs({ parkedBefore: restored_before, at: this.clock.now(), by });
    return await this.commands.execute(command);
  }

  private async jobAt(jobId: string, at: Instant) {
    const { job, history } = orNotFound(await this.past.job(jobId, at), 'JOB_NOT_FOUND');
    const [account, computer] = await Promise.all([
      this.past.account(job.account_id, at),
      this.past.computer(job.computer_id, at),
    ]);
    const shown = account ? operatedAccountResource(account) : null;
    const shownComputer = computer ? operatedComputerResource(computer, undefined) : null;
    return detailOf(operatedJobResource(job, at), shown, shownComputer, history);
  }

  private async printer({ printer, account_id: accountId }: CreateJobBody): Promise<PrinterDocument> {
    const all = await this.printers.findPrinters(printer);
    const found = all.filter((one) => accountId === undefined || one.account_id === accountId);
    if (found.length > 1)
      throw new ApiError(
        'invalid',
        `printer names ${found.length} printers: give the id of one, or account_id: ${namesakes(found)}.`,
      );
    return orNotFound(found[0], 'PRINTER_NOT_FOUND');
  }
}

const NAMED = 5;

const namesakes = (printers: readonly PrinterDocument[]) =>
  printers
    .slice(0, NAMED)
    .map(({ printer_id, computer_name }) => `${printer_id} on ${computer_name}`)
    .join(', ') + (printers.length > NAMED ? ', …' : '');

const detailOf = (job: object, account: object | null, computer: object | null, history: object) => ({
  ...job,
  ...{ account, computer, history_contract: 'svc_job_history_v1' },
  ...history,
});
