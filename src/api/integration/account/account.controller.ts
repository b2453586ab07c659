import { Controller } from '@nestjs/common';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Account, accountResource } from '../../resources/account.resource.js';
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
