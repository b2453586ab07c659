import { Controller } from '@nestjs/common';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { integration } from '../integration.surface.js';
import { Account, accountResource } from '../../resources/account.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';

@Controller()
export class AccountController {
  constructor(private readonly accounts: AccountQueries) {}

  @Operation({
    id: 'getAccount',
    surface: integration,
    route: 'GET /v1/svc-api-account',
    summary: 'Get the account',
    tag: 'Account',
    description: 'The first call with a new key: it confirms key, environment and account.',
    scopes: ['account:read'],
    limit: { perMinute: 120 },
    success: {
      status: 200,
      description: 'The account.',
      type: Account,
      codes: ['SVC_OK'],
    },
    errors: ['SVC_PUBLIC_API_DISABLED'],
  })
  async get(@Caller() { accountId }: AccountPrincipal) {
    const account = await this.accounts.getAccount(accountId);
    if (!account) throw new ApiError('API_KEY_INVALID');
    return answer('SVC_OK', accountResource(account));
  }
}
