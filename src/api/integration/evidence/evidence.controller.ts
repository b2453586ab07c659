import { Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { bytes, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { EvidenceAnswers, PeriodQuery, SinceQuery } from '../../evidence-answers.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

const NOTE = { media: 'text/plain' };
/** Operators have operations of their own, which leave a trace in the audit. */
const callers = ['api_key', 'member', 'visitor'] as const;

const Operation = operationsOf(integration, {
  tag: 'Evidence',
  scopes: ['evidence:read'],
  errors: ['NOT_PUBLISHED_YET'],
});

/** What an account and its auditor take out of the house (docs/evidence.md). */
@Controller()
export class EvidenceController {
  constructor(
    private readonly evidence: EvidenceAnswers,
    private readonly jobs: JobQueries,
  ) {}

  @Operation({
    id: 'getEvidenceHead',
    route: 'GET /v1/evidence/head',
    summary: 'Get the head of the account',
    description: 'How many entries the account has in the log, and which is the last one: keep it.',
    limit: { perMinute: 60 },
    success: bytes('The signed head.', NOTE),
  })
  head(@Caller() { accountId }: AccountPrincipal) {
    return this.evidence.head(accountId);
  }

  @Operation({
    id: 'exportAccountEvidence',
    route: 'GET /v1/evidence/account',
    summary: 'Export the proof of the account',
    description: 'All covered events of the account or of a period, one file at a time.',
    callers,
    limit: { perMinute: 20 },
    query: PeriodQuery,
    errors: ['NOT_PUBLISHED_YET', 'EVENT_DAMAGED'],
    success: bytes('The proof file.', NOTE),
  })
  account(
    @Query() query: PeriodQuery,
    @Caller() { accountId, credentialId: owner }: AccountPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return this.evidence.account({ request, accountId, owner }, query);
  }

  @Operation({
    id: 'exportJobEvidence',
    route: 'GET /v1/evidence/jobs/:job_id',
    summary: 'Export the proof of a print job',
    description: 'All covered events of the job, each with its place in the log.',
    callers,
    limit: { perMinute: 60 },
    query: SinceQuery,
    errors: ['NOT_PUBLISHED_YET', 'EVENT_DAMAGED'],
    success: bytes('The proof file.', NOTE),
  })
  async job(
    @Param('job_id') jobId: string,
    @Query() query: SinceQuery,
    @Caller() { accountId, credentialId: owner }: AccountPrincipal,
    @Req() request: FastifyRequest,
  ) {
    orNotFound(await this.jobs.getJob(accountId, jobId), 'SVC_JOB_NOT_FOUND');
    return this.evidence.stream({ request, accountId, owner }, `job-${jobId}`, query);
  }
}
