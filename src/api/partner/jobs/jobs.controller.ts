import { Body, Controller, Headers, Param, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { JobExplanations, SubmitJob } from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, IdempotencyKey } from '../../../http/request.js';
import { Field, optional, present } from '../../../http/validation/field.js';
import { integer, object, objects, oneOf, uuid } from '../../../http/validation/rules.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { batchExample, BATCHES, BatchResult, JobBatches, JobsBody } from '../../job-batches.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { ETAG, IF_NONE_MATCH, JOB_POLLING, JobPolling, UNCHANGED } from '../../polling.js';
import {
  createdOnce,
  draftOf,
  NAMED_EXAMPLE,
  PrintRequest,
  RESTORED_FROM,
  restoredFrom,
  submittedAnswer,
} from '../../print-request.js';
import { Validators } from '../../validators.js';
import { JobHelp } from '../../resources/explanation.resource.js';
import { mustTakeJobs, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerCaller, PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';
import {
  Job,
  PARTNER_JOB_STATUSES,
  PARTNER_LISTINGS,
  partnerJobResource,
  type PartnerJobStatus,
} from './job.resource.js';

const CODES = { created: 'JOB_CREATED', replayed: 'JOB_IDEMPOTENT_REPLAY' };

export class CreateJobBody extends PrintRequest {}

export class ListJobsQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
  @Field(oneOf(...PARTNER_JOB_STATUSES), optional) status?: PartnerJobStatus;
  @Field(uuid(), optional) printer_id?: string;
}

export class JobResult extends BatchResult {
  @Field(object(() => Job), optional) data?: Job;
}

export class JobResults {
  @Field(objects(() => JobResult, 100)) results!: readonly JobResult[];

  static get example(): JobResults {
    return { results: [{ status: 201, code: 'JOB_CREATED', data: Job.example }] };
  }
}

const Operation = operationsOf(partner, { tag: 'Jobs' });

const createJob = Operation({
  id: 'createJob',
  route: 'POST /v1/accounts/:account_id/jobs',
  summary: 'Create a print job',
  description:
    'Creates a job exactly once per Idempotency-Key. A repeat of the same request answers the job as it is now; ' +
    'another request under the same key is a conflict.',
  scopes: ['jobs:write'],
  limit: { perMinute: LIMITS.createJob },
  idempotencyKey: true,
  carriesContent: true,
  body: CreateJobBody,
  requestExample: { printer_id: Job.example.printer_id, ...NAMED_EXAMPLE },
  success: createdOnce(Job, CODES),
  errors: [
    'PLAN_LIMIT_REACHED',
    'SVC_ACCOUNT_SUSPENDED',
    'PUBLIC_API_DISABLED',
    'SVC_VIRTUAL_PRINTERS_ONLY',
    'PRINTER_NOT_FOUND',
    'SVC_IDEMPOTENCY_CONFLICT',
    'PRINTER_NOT_READY',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'AGENT_TOO_OLD',
    'OPTION_NOT_SUPPORTED',
    'ACCOUNT_CLOSED',
    'CONTENT_TOO_LARGE',
  ],
});

const createJobs = Operation({
  id: 'createJobs',
  route: 'POST /v1/accounts/:account_id/jobs/batch',
  ...BATCHES,
  scopes: ['jobs:write'],
  requestExample: batchExample(Job.example.printer_id),
  success: ok('One result for each job.', JobResults, { code: 'JOBS_SUBMITTED', headers: RESTORED_FROM }),
  errors: ['SVC_ACCOUNT_SUSPENDED', 'PUBLIC_API_DISABLED'],
});

@Controller()
export class PartnerJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly lists: CursorLists,
    private readonly batches: JobBatches,
    private readonly jobs: JobQueries,
    private readonly printers: PrinterQueries,
    private readonly polling: JobPolling,
    private readonly validators: Validators,
    private readonly explanations: JobExplanations,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  /** The jobs context rejects jobs of a closed account, because replays must still be answered. */
  @createJob
  async create(
    @Param('account_id') accountId: string,
    @Body() body: CreateJobBody,
    @IdempotencyKey() key: string,
    @Caller() caller: PartnerCaller,
  ) {
    mustTakeJobs(await this.accounts.known(caller, accountId));
    const at = this.clock.now();
    const draft = draftOf(accountId, 'partner', body);
    const command = new SubmitJob({ draft, idempotencyKey: key, at, by: caller.by });
    const submitted = orRefuse('partner', await this.commands.execute(command));
    const job = orNotFound(await this.jobs.getSubmittedJob(accountId, submitted), 'JOB_NOT_FOUND');
    return submittedAnswer(partnerJobResource(job), submitted, restoredFrom(this.restore, at));
  }

  @Operation({
    id: 'listJobs',
    route: 'GET /v1/accounts/:account_id/jobs',
    summary: 'List print jobs',
    description: 'Newest first.',
    scopes: ['jobs:read'],
    limit: { perMinute: LIMITS.listJobs },
    query: ListJobsQuery,
    headers: IF_NONE_MATCH,
    success: [ok('A page of jobs.', Job, { list: 'cursor', headers: ETAG }), UNCHANGED],
    errors: ['PRINTER_NOT_FOUND'],
  })
  async list(
    @Param('account_id') accountId: string,
    @Query() query: ListJobsQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Caller() caller: PartnerPrincipal,
  ) {
    const list = this.lists.open('jobs', caller, accountId, query);
    await this.accounts.known(caller, accountId);
    const { status, printer_id: printerId } = query;
    if (printerId) orNotFound(await this.printers.getPrinter(accountId, printerId), 'PRINTER_NOT_FOUND');
    const filter = { listedAs: status && PARTNER_LISTINGS[status], printerId };
    const page = await list.read((keyset) => this.jobs.listPartnerJobs(accountId, filter, keyset));
    const mark = ({ job_id, sequence }: JobDocument) => `${job_id} ${sequence}`;
    return this.lists.answer(page, ifNoneMatch, mark, () => page.documents.map(partnerJobResource));
  }

  @Operation({
    id: 'getJob',
    route: 'GET /v1/accounts/:account_id/jobs/:job_id',
    summary: 'Get a print job',
    description: JOB_POLLING.description,
    scopes: ['jobs:read'],
    limit: { perMinute: LIMITS.getJob },
    headers: JOB_POLLING.headers,
    success: [
      ok('The job as it is now; after a wait, as it has become.', Job, { headers: JOB_POLLING.changed }),
      JOB_POLLING.unchanged,
    ],
  })
  async get(
    @Param('account_id') accountId: string,
    @Param('job_id') jobId: string,
    @Caller() caller: PartnerPrincipal,
    @Req() request: FastifyRequest,
  ) {
    await this.accounts.known(caller, accountId);
    return this.polling.answer(request, {
      jobId,
      read: () => this.job(accountId, jobId),
      etagOf: ({ sequence }) => this.validators.ofRevision(sequence),
      show: partnerJobResource,
      isStillValid: caller.isStillValid,
    });
  }

  @Operation({
    id: 'explainJob',
    route: 'GET /v1/accounts/:account_id/jobs/:job_id/explanation',
    summary: 'Explain why a print job has not printed',
    description: 'What `raw_status` means for this job now, since when, and what the account can do.',
    scopes: ['jobs:read'],
    limit: { perMinute: LIMITS.explainJob },
    success: ok('The explanation as of now.', JobHelp),
  })
  async explain(
    @Param('account_id') accountId: string,
    @Param('job_id') jobId: string,
    @Caller() caller: PartnerPrincipal,
  ) {
    await this.accounts.known(caller, accountId);
    await this.job(accountId, jobId);
    return present(JobHelp, await this.explanations.explain(jobId), {});
  }

  @createJobs
  async createMany(
    @Param('account_id') accountId: string,
    @Body() { jobs }: JobsBody,
    @Caller() caller: PartnerCaller,
  ) {
    mustTakeJobs(await this.accounts.known(caller, accountId));
    const whose = { surface: partner, source: 'partner', accountId, by: caller.by } as const;
    return this.batches.submit({ ...whose, jobs, codes: CODES, show: partnerJobResource });
  }

  private async job(accountId: string, jobId: string): Promise<JobDocument> {
    return orNotFound(await this.jobs.getJob(accountId, jobId), 'JOB_NOT_FOUND');
  }
}
