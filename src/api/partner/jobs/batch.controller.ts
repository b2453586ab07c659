import { Body, Controller, Param } from '@nestjs/common';
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
import { mustTakeJobs, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { partner } from '../partner.surface.js';
import { Job, partnerJobResource } from './job.resource.js';

export class JobResult extends BatchResult {
  @Field(object(() => Job), optional) data?: Job;
}

export class JobResults {
  @Field(objects(() => JobResult, 100)) results!: readonly JobResult[];

  static get example(): JobResults {
    return { results: [{ status: 201, code: 'JOB_CREATED', data: Job.example }] };
  }
}

const createJobs = operationsOf(partner, { tag: 'Jobs' })({
  id: 'createJobs',
  route: 'POST /v1/accounts/:account_id/jobs/batch',
  summary: 'Create many print jobs',
  description: BATCHES.description,
  scopes: ['jobs:write'],
  limit: { perMinute: BATCHES.perMinute },
  carriesContent: true,
  body: JobsBody,
  requestExample: {
    jobs: [
      {
        idempotency_key: 'order-4711',
        printer_id: Job.example.printer_id,
        content: { type: 'text', encoding: 'utf8', data: 'Hello, printer' },
      },
    ],
  },
  success: ok('One result for each job.', JobResults, { code: 'JOBS_SUBMITTED', headers: RESTORED_FROM }),
  errors: ['SVC_ACCOUNT_SUSPENDED', 'PUBLIC_API_DISABLED'],
});

@Controller()
export class PartnerJobBatchController {
  constructor(
    private readonly batches: JobBatches,
    private readonly accounts: PartnerAccounts,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  @createJobs
  async create(
    @Param('account_id') accountId: string,
    @Body() { jobs }: JobsBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    mustTakeJobs(await this.accounts.known(caller, accountId));
    const at = this.clock.now();
    const results = await this.batches.submit({
      surface: partner,
      source: 'partner',
      accountId,
      jobs,
      at,
      by,
      codes: { created: 'JOB_CREATED', replayed: 'JOB_IDEMPOTENT_REPLAY' },
      show: partnerJobResource,
    });
    return answer({ results }, { headers: restoredFrom(this.restore, at) });
  }
}
