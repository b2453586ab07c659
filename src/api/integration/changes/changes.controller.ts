import { Controller, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { ChangeAnswers } from '../../change-answers.js';
import { CHANGES, ChangesQuery, wanted } from '../../change-requests.js';
import { ChangesPage } from '../../resources/change.resource.js';
import { ProjectedPayloads } from '../../resources/projected-payloads.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

const SCOPES = { job: 'jobs:read', computer: 'computers:read', printer: 'printers:read' };

const Operation = operationsOf(integration, { tag: 'Account' });

@Controller()
export class ChangesController {
  constructor(
    private readonly changes: ChangeAnswers,
    private readonly payloads: ProjectedPayloads,
  ) {}

  @Operation({
    id: 'listChanges',
    route: 'GET /v1/svc-api-changes',
    summary: 'List what has changed',
    description: `${CHANGES.description} Items about jobs, computers and printers need the scope to read them; others are left out.`,
    anyScope: Object.values(SCOPES),
    limit: { perMinute: 120 },
    query: ChangesQuery,
    headers: CHANGES.headers,
    success: [ok('The changes after the cursor.', ChangesPage, { headers: CHANGES.page }), CHANGES.unchanged],
    errors: ['SVC_HISTORY_CHANGED'],
  })
  list(
    @Query() query: ChangesQuery,
    @Caller() { accountId, scopes, isStillValid }: AccountPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return this.changes.answer(request, query, {
      surface: 'integration',
      owner: accountId,
      isWanted: wanted(query, scopes, SCOPES),
      show: (change) => this.payloads.bodyOf(change),
      isStillValid,
    });
  }
}
