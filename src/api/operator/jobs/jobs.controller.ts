import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { JobHistoryQueries } from '../../../../projections/job-history/job-history.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { JOB_STATUSES, ReleaseRestoredJobs } from '../../../contexts/jobs/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, oneOf, uuid } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import {
  operatedAccountResource,
  OperatedComputers,
  operatedJobResource,
  OperatorListQuery,
} from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

export class ReleaseJobsBody {
  @Field(dateTime()) restored_before!: string;
}

export class JobListQuery extends OperatorListQuery {
  @Field(uuid(), optional) account_id?: string;
  @Field(oneOf(...JOB_STATUSES), optional) status?: (typeof JOB_STATUSES)[number];
}

/** Jobs of all accounts, without their documents. */
@Controller()
export class OperatorJobsController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly histories: JobHistoryQueries,
    private readonly accounts: AccountQueries,
    private readonly computers: OperatedComputers,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'listJobs',
    route: 'GET /v1/operator/jobs',
    summary: 'List jobs of all accounts or of one, newest first',
    query: JobListQuery,
    errors: ['ACCOUNT_NOT_FOUND'],
  })
  async list(@Query() { account_id: accountId, status, limit, offset }: JobListQuery) {
    if (accountId !== undefined && !(await this.accounts.getAccount(accountId)))
      throw new ApiError('ACCOUNT_NOT_FOUND');
    const { items, total } = await this.jobs.listJobsOfAnyAccount({ accountId, status }, { limit, offset });
    const now = this.clock.now();
    return { items: items.map((job) => operatedJobResource(job, now)), total };
  }

  @OperatorOperation({
    id: 'showJob',
    route: 'GET /v1/operator/jobs/:job_id',
    summary: 'Get a job with its history, account and computer',
  })
  async get(@Param('job_id') jobId: string) {
    const job = orNotFound(await this.jobs.getJobOfAnyAccount(jobId), 'JOB_NOT_FOUND');
    const [account, computer, history] = await Promise.all([
      this.accounts.getAccount(job.account_id),
      this.computers.get(job.computer_id),
      this.histories.getHistory(job.account_id, jobId, job.sequence),
    ]);
    return {
      ...operatedJobResource(job, this.clock.now()),
      account: account ? operatedAccountResource(account) : null,
      computer: computer ?? null,
      history_contract: 'svc_job_history_v1',
      ...history,
    };
  }

  @OperatorOperation({
    id: 'releaseRestoredJobs',
    route: 'POST /v1/operator/jobs/release',
    summary: 'Print the jobs again that a restore parked before a moment',
    body: ReleaseJobsBody,
  })
  async release(@Body() { restored_before }: ReleaseJobsBody, @RequestOrigin() by: Origin) {
    const command = new ReleaseRestoredJobs({ parkedBefore: restored_before, at: this.clock.now(), by });
    return await this.commands.execute(command);
  }
}
