import { Controller, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { ChangeAnswers, CHANGES, ChangesQuery, wanted } from '../../change-answers.js';
import { Account, accountResource } from '../../resources/account.resource.js';
import { ChangesPage } from '../../resources/change.resource.js';
import { ProjectedPayloads } from '../../resources/projected-payloads.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

const Operation = operationsOf(integration, { tag: 'Account' });

@Controller()
export class AccountController {
  constructor(private readonly accounts: AccountQueries) {}

  @Operation({
    id: 'getAccount',
    route: 'GET /v1/svc-api-account',
    summary: 'Get the account',
    description: 'The first call with a new key: it confirms key, environment and account.',
    scopes: ['account:read'],
    limit: { perMinute: 120 },
    success: ok('The account.', Account),
    errors: ['SVC_PUBLIC_API_DISABLED'],
  })
  async get(@Caller() { accountId }: AccountPrincipal) {
    const account = orNotFound(await this.accounts.getAccount(accountId), 'API_KEY_INVALID');
    return accountResource(account);
  }
}

const SCOPES = { job: 'jobs:read', computer: 'computers:read', printer: 'printers:read' };

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
