import { Body, Controller, Logger, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { buffer } from 'node:stream/consumers';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { SubmitReprint } from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { ContentStore, readChecked } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, IdempotencyKey } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { object, objects, uuid } from '../../../http/validation/rules.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { batchExample, BATCHES, BatchResult, JobBatches, JobsBody } from '../../job-batches.js';
import { createdOnce, RESTORED_FROM, restoredFrom, submittedAnswer } from '../../print-request.js';
import { jobResource, PrintJob } from '../../resources/print-job.resource.js';
import type { AccountCaller } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

const CODES = { created: 'SVC_JOB_CREATED', replayed: 'SVC_JOB_IDEMPOTENT_REPLAY' };

export const CREATED_ONCE = createdOnce(PrintJob, CODES);

export const CREATION_ERRORS = [
  'SVC_PLAN_LIMIT_REACHED',
  'SVC_VIRTUAL_PRINTERS_ONLY',
  'SVC_PRINTER_NOT_FOUND',
  'SVC_PRINTER_NOT_READY',
  'SVC_CONTENT_TYPE_NOT_SUPPORTED',
  'SVC_AGENT_TOO_OLD',
  'SVC_OPTION_NOT_SUPPORTED',
  'SVC_JOB_IDEMPOTENCY_CONFLICT',
  'SVC_CONTENT_TOO_LARGE',
] as const;

export class PrintJobResult extends BatchResult {
  @Field(object(() => PrintJob), optional) data?: PrintJob;
}

export class PrintJobResults {
  @Field(objects(() => PrintJobResult, 100)) results!: readonly PrintJobResult[];

  static get example(): PrintJobResults {
    return { results: [{ status: 201, code: 'SVC_JOB_CREATED', data: PrintJob.example }] };
  }
}

const Operation = operationsOf(integration, { tag: 'Jobs' });

const createPrintJobs = Operation({
  id: 'createPrintJobs',
  route: 'POST /v1/svc-api-print-jobs/batch',
  ...BATCHES,
  scopes: ['jobs:create'],
  requestExample: batchExample(PrintJob.example.printer_id),
  success: ok('One result for each job.', PrintJobResults, {
    code: 'SVC_JOBS_SUBMITTED',
    headers: RESTORED_FROM,
  }),
});

@Controller()
export class PrintJobBatchController {
  constructor(private readonly batches: JobBatches) {}

  @createPrintJobs
  create(@Body() { jobs }: JobsBody, @Caller() { accountId, by }: AccountCaller) {
    const whose = { surface: integration, source: 'integration', accountId, by } as const;
    return this.batches.submit({ ...whose, jobs, codes: CODES, show: jobResource });
  }
}

export class ReprintBody {
  @Field(uuid(), { optional: true, description: 'Another printer than that of the job' })
  printer_id?: string;
}

@Controller()
export class ReprintController {
  private readonly logger = new Logger(ReprintController.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly contents: ContentStore,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'reprintPrintJob',
    route: 'POST /v1/svc-api-print-jobs/:job_id/reprint',
    summary: 'Print the document of a job again',
    description:
      'Creates a new job from the kept document, with `reprint_of`, exactly once per Idempotency-Key. Title, external ' +
      'id, copies and options are those of the job, which may be in any state; its history names the new one.',
    scopes: ['jobs:create'],
    limit: { perMinute: 60 },
    idempotencyKey: true,
    body: ReprintBody,
    bodyOptional: true,
    requestExample: {},
    success: CREATED_ONCE,
    errors: [...CREATION_ERRORS, 'SVC_CONTENT_NOT_KEPT', 'SVC_JOB_STATE_CONFLICT'],
  })
  async reprint(
    @Param('job_id') jobId: string,
    @Body() { printer_id: printerId }: ReprintBody,
    @IdempotencyKey() idempotencyKey: string,
    @Caller() { accountId, by }: AccountCaller,
  ) {
    const original = orNotFound(await this.jobs.getJob(accountId, jobId), 'SVC_JOB_NOT_FOUND');
    const at = this.clock.now();
    const draft = this.draftOf(original, printerId);
    const reprint = { jobId, ...(printerId !== undefined && { printerId }) };
    const command = new SubmitReprint({ draft, idempotencyKey, reprint, at, by });
    const submitted = orRefuse('integration', await this.commands.execute(command));
    const job = orNotFound(await this.jobs.getSubmittedJob(accountId, submitted), 'SVC_JOB_NOT_FOUND');
    return submittedAnswer(jobResource(job, at), submitted, restoredFrom(this.restore, at));
  }

  private draftOf(job: JobDocument, printerId = job.printer_id) {
    return {
      accountId: job.account_id,
      source: 'integration',
      printerId,
      contentType: job.content_type,
      content: { byteLength: job.content_size_bytes, read: () => this.read(job) },
      contentHash: job.content_hash,
      copies: job.copies,
      options: job.options,
      externalId: job.external_id,
      title: job.title,
    } as const;
  }

  /** Waits for no other download: the plan of the account is locked meanwhile. */
  private async read(job: JobDocument): Promise<Uint8Array | undefined> {
    const found = await readChecked(this.contents, job);
    if (found.state === 'damaged') {
      this.logger.error(`the document of job ${job.job_id} is damaged in the store`);
    }
    if (found.state !== 'whole') return undefined;
    return found.body instanceof Uint8Array ? found.body : buffer(found.body);
  }
}
