import { Body, Controller, Logger, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { buffer } from 'node:stream/consumers';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { SubmitReprint } from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { ContentStore, readChecked } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { operationsOf } from '../../../http/operation.js';
import { Caller, IdempotencyKey, RequestOrigin } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { uuid } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';
import { CREATED_ONCE, CREATION_ERRORS, submittedAnswer } from './creation.js';

export class ReprintBody {
  @Field(uuid(), { optional: true, description: 'Another printer than that of the job' })
  printer_id?: string;
}

const Operation = operationsOf(integration, { tag: 'Jobs' });

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
    requestExample: {},
    success: CREATED_ONCE,
    errors: [...CREATION_ERRORS, 'SVC_CONTENT_NOT_KEPT', 'SVC_JOB_STATE_CONFLICT'],
  })
  async reprint(
    @Param('job_id') jobId: string,
    @Body() { printer_id: printerId }: ReprintBody,
    @IdempotencyKey() idempotencyKey: string,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const original = orNotFound(await this.jobs.getJob(accountId, jobId), 'SVC_JOB_NOT_FOUND');
    const at = this.clock.now();
    const command = new SubmitReprint({
      draft: this.draftOf(original, printerId),
      idempotencyKey,
      reprint: { jobId, ...(printerId !== undefined && { printerId }) },
      at,
      by,
    });
    const submitted = orRefuse('integration', await this.commands.execute(command));
    const job = orNotFound(await this.jobs.getSubmittedJob(accountId, submitted), 'SVC_JOB_NOT_FOUND');
    return submittedAnswer(job, submitted, this.restore, at);
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
