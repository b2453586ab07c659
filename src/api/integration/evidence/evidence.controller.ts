import { Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { BareAnswer } from '../../../http/answer.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { bytes, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { EvidenceAnswers, PeriodQuery, SinceQuery } from '../../evidence-answers.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

const NOTE = { media: 'text/plain' };
/** Operators have operations of their own, which leave a trace in the audit. */
const callers = ['api_key', 'member', 'visitor'] as const;

const MISSING = 'SVC_ROUTE_NOT_FOUND';
const LEVEL = { notFound: MISSING, pattern: /^[0-5]$/ } as const;
/** C2SP tlog-tiles: groups of three digits, all but the last one marked, and the width of a partial tile. */
const TILE = { notFound: MISSING, pattern: /^(?:x\d{3}\/){0,4}\d{3}(?:\.p\/[1-9]\d{0,2})?$/ } as const;

/** For monitors, which take many tiles. */
const OF_LOG = { perMinute: 600 };

/** Needs no credential with EVIDENCE_PUBLIC. */
export const LOG_OPERATIONS = ['getLogCheckpoint', 'getLogKey', 'getLogTile'] as const;

const Operation = operationsOf(integration, {
  tag: 'Evidence',
  scopes: ['evidence:read'],
  errors: ['NOT_PUBLISHED_YET'],
});

/**
 * What an account and its auditor take out of the house (docs/evidence.md), and the log for auditors and monitors of
 * C2SP tlog-tiles. Entries are not published.
 */
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

  @Operation({
    id: 'getLogCheckpoint',
    route: 'GET /v1/evidence/log/checkpoint',
    summary: 'Get the newest checkpoint of the log',
    description: 'The signed size and root of the log of all accounts: keep it, with the time.',
    limit: OF_LOG,
    success: bytes('The signed checkpoint (C2SP tlog-checkpoint).', NOTE),
  })
  checkpoint() {
    return this.evidence.checkpoint();
  }

  @Operation({
    id: 'getLogKey',
    route: 'GET /v1/evidence/log/vkey',
    summary: 'Get the key of the log',
    description: 'Take it once, when you begin, and keep it.',
    limit: OF_LOG,
    success: bytes('The key (C2SP signed-note).', NOTE),
  })
  key() {
    return this.evidence.vkey();
  }

  @Operation({
    id: 'getLogTile',
    route: 'GET /v1/evidence/log/tile/:level/*',
    summary: 'Get a tile of the log',
    description: 'Hashes of the tree (C2SP tlog-tiles), as far as the newest checkpoint covers them.',
    params: { level: LEVEL, '*': TILE },
    limit: OF_LOG,
    success: bytes('Up to 256 hashes.'),
  })
  async tile(@Param('level') level: string, @Param('*') path: string) {
    const hashes = await this.evidence.tile(Number(level), path);
    return new BareAnswer(200, orNotFound(hashes, MISSING), { 'content-type': 'application/octet-stream' });
  }
}
