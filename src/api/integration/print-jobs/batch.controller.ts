import { Body, Controller } from '@nestjs/common';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { answer } from '../../../http/answer.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { object, objects } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { BatchResult, BATCHES, JobBatches, JobsBody } from '../../job-batches.js';
import { RESTORED_FROM, restoredFrom } from '../../print-request.js';
import { jobResource, PrintJob } from '../../resources/print-job.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

export class PrintJobResult extends BatchResult {
  @Field(object(() => PrintJob), optional) data?: PrintJob;
}

export class PrintJobResults {
  @Field(objects(() => PrintJobResult, 100)) results!: readonly PrintJobResult[];

  static get example(): PrintJobResults {
    return { results: [{ status: 201, code: 'SVC_JOB_CREATED', data: PrintJob.example }] };
  }
}

const createPrintJobs = operationsOf(integration, { tag: 'Jobs' })({
  id: 'createPrintJobs',
  route: 'POST /v1/svc-api-print-jobs/batch',
  summary: 'Create many print jobs',
  description: BATCHES.description,
  scopes: ['jobs:create'],
  limit: { perMinute: BATCHES.perMinute },
  carriesContent: true,
  body: JobsBody,
  requestExample: {
    jobs: [
      {
        idempotency_key: 'order-4711',
        printer_id: PrintJob.example.printer_id,
        content: { type: 'text', encoding: 'utf8', data: 'Hello, printer' },
      },
    ],
  },
  success: ok('One result for each job.', PrintJobResults, {
    code: 'SVC_JOBS_SUBMITTED',
    headers: RESTORED_FROM,
  }),
});

@Controller()
export class PrintJobBatchController {
  constructor(
    private readonly batches: JobBatches,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  @createPrintJobs
  async create(
    @Body() { jobs }: JobsBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const at = this.clock.now();
    const results = await this.batches.submit({
      surface: integration,
      source: 'integration',
      accountId,
      jobs,
      at,
      by,
      codes: { created: 'SVC_JOB_CREATED', replayed: 'SVC_JOB_IDEMPOTENT_REPLAY' },
      show: jobResource,
    });
    return answer({ results }, { headers: restoredFrom(this.restore, at) });
  }
}
