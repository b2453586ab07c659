import { Controller, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { ChangeAnswers } from '../../change-answers.js';
import { CHANGES, ChangesQuery, wanted } from '../../change-requests.js';
import { type PublicChange, ProjectedPayloads } from '../../resources/projected-payloads.js';
import { PartnerAccounts } from '../partner-accounts.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';
import { AccountChangesPage, changedOfAccount } from './change.resource.js';

const SCOPES = { job: 'jobs:read', computer: 'devices:read', printer: 'printers:read' };

const Operation = operationsOf(partner, {
  tag: 'Account',
  description: `${CHANGES.description} Items about jobs, devices and printers need the scope to read them; others are left out.`,
  anyScope: Object.values(SCOPES),
  query: ChangesQuery,
  headers: CHANGES.headers,
  success: [
    ok('The changes after the cursor.', AccountChangesPage, { headers: CHANGES.page }),
    CHANGES.unchanged,
  ],
  errors: ['HISTORY_CHANGED'],
});

@Controller()
export class PartnerChangesController {
  constructor(
    private readonly accounts: PartnerAccounts,
    private readonly changes: ChangeAnswers,
    private readonly payloads: ProjectedPayloads,
  ) {}

  @Operation({
    id: 'listAccountChanges',
    route: 'GET /v1/accounts/:account_id/changes',
    summary: 'List what has changed in an account',
    limit: { perMinute: LIMITS.listAccountChanges },
  })
  async listOfAccount(
    @Param('account_id') accountId: string,
    @Query() query: ChangesQuery,
    @Caller() caller: PartnerPrincipal,
    @Req() request: FastifyRequest,
  ) {
    await this.accounts.known(caller, accountId);
    const isStillValid = async () => {
      await this.accounts.known(caller, accountId);
      return caller.isStillValid();
    };
    return this.answer(request, query, { ...caller, isStillValid }, accountId);
  }

  @Operation({
    id: 'listManagedChanges',
    route: 'GET /v1/managed/changes',
    summary: 'List what has changed in all accounts',
    limit: { perMinute: LIMITS.listManagedChanges },
  })
  listOfAll(
    @Query() query: ChangesQuery,
    @Caller() caller: PartnerPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return this.answer(request, query, caller, caller.partnerId);
  }

  private answer(request: FastifyRequest, query: ChangesQuery, caller: PartnerPrincipal, owner: string) {
    const show = (change: PublicChange) => ({
      ...this.payloads.bodyOf(change),
      data: changedOfAccount(change.resource),
    });
    const { scopes, isStillValid } = caller;
    const isWanted = wanted(query, scopes, SCOPES);
    return this.changes.answer(request, query, { surface: 'partner', owner, isWanted, show, isStillValid });
  }
}
