import { Body, Controller, Headers, Param, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { SubmitJob } from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { JobPolling } from '../../job-polling.js';
import { revisionEtag } from '../../polling.js';
import { draftOf, restoredFrom } from '../../print-request.js';
import { Caller, IdempotencyKey, RequestOrigin } from '../../../http/request.js';
import { CursorLists, pageAnswer } from '../../cursor-lists.js';
import { PARTNER_LISTINGS, partnerJobResource } from './job.resource.js';
import { createJob, getJob, listJobs } from './jobs.operations.js';
import { CreateJobBody, ListJobsQuery } from '../partner.requests.js';
import { mustTakeJobs, PartnerAccounts } from '../partner-accounts.js';
import { PartnerAuthenticator, type PartnerPrincipal } from '../partner.authenticator.js';
import { refusalOf } from '../../errors/answers.js';

const REPLAYED = { status: 200, headers: { 'idempotent-replayed': 'true' } };

@Controller()
export class PartnerJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly lists: CursorLists,
    private readonly jobs: JobQueries,
    private readonly printers: PrinterQueries,
    private readonly credentials: PartnerAuthenticator,
    private readonly polling: JobPolling,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  /** The jobs context rejects jobs of a closed account, because replays must still be answered. */
  @Operation(createJob)
  async create(
    @Param('account_id') accountId: string,
    @Body() body: CreateJobBody,
    @IdempotencyKey() key: string,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    mustTakeJobs(await this.accounts.known(caller, accountId));
    const at = this.clock.now();
    const command = new SubmitJob({
      draft: draftOf(accountId, 'partner', body),
      idempotencyKey: key,
      at,
      by,
    });
    const submitted = await this.commands.execute(command);
    if (!submitted.ok) throw refusalOf('partner', submitted.rejection);
    const job = found(await this.jobs.getSubmittedJob(accountId, submitted));
    const resource = partnerJobResource(job);
    const headers = restoredFrom(this.restore, at);
    return submitted.replayed
      ? answer('JOB_IDEMPOTENT_REPLAY', resource, {
          ...REPLAYED,
          headers: { ...REPLAYED.headers, ...headers },
        })
      : answer('JOB_CREATED', resource, { headers });
  }

  @Operation(listJobs)
  async list(
    @Param('account_id') accountId: string,
    @Query() query: ListJobsQuery,
    @Headers('if-none-match') known: string | undefined,
    @Caller() caller: PartnerPrincipal,
  ) {
    const list = this.lists.open('jobs', caller, accountId, query);
    await this.accounts.known(caller, accountId);
    const { status, printer_id: printerId } = query;
    if (printerId && !(await this.printers.getPrinter(accountId, printerId))) {
      throw new ApiError('PRINTER_NOT_FOUND');
    }
    const filter = { listedAs: status && PARTNER_LISTINGS[status], printerId };
    const page = await list.read((keyset) => this.jobs.listPartnerJobs(accountId, filter, keyset));
    const mark = ({ job_id, sequence }: JobDocument) => `${job_id} ${sequence}`;
    return pageAnswer(page, known, mark, () => page.documents.map(partnerJobResource));
  }

  @Operation(getJob)
  async get(
    @Param('account_id') accountId: string,
    @Param('job_id') jobId: string,
    @Caller() caller: PartnerPrincipal,
    @Req() request: FastifyRequest,
  ) {
    await this.accounts.known(caller, accountId);
    return this.polling.answer(request, {
      jobId,
      code: 'OK',
      look: () => this.job(accountId, jobId),
      etagOf: ({ sequence }) => revisionEtag(sequence),
      show: partnerJobResource,
      isStillValid: caller.isStillValid,
    });
  }

  private async job(accountId: string, jobId: string): Promise<JobDocument> {
    return found(await this.jobs.getJob(accountId, jobId));
  }
}

function found(job: JobDocument | undefined): JobDocument {
  if (!job) throw new ApiError('JOB_NOT_FOUND');
  return job;
}
