import { Controller, Param } from '@nestjs/common';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { JobExplanations } from '../../../contexts/jobs/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { JobExplanation } from '../../resources/explanation.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

const Operation = operationsOf(integration, { tag: 'Jobs' });

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
