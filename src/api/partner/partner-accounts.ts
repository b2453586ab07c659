import { Injectable } from '@nestjs/common';
import type { AccountDocument } from '../../../projections/accounts/accounts.js';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import { ApiError, orNotFound } from '../../http/errors/api-error.js';
import type { PartnerPrincipal } from './partner.authenticator.js';

/** The accounts provisioned by a partner. Any other account counts as unknown. */
@Injectable()
export class PartnerAccounts {
  constructor(private readonly accounts: AccountQueries) {}

  /** @throws ACCOUNT_NOT_FOUND */
  async known({ partnerId }: PartnerPrincipal, accountId: string): Promise<AccountDocument> {
    return orNotFound(await this.accounts.getPartnerAccount(partnerId, accountId), 'ACCOUNT_NOT_FOUND');
  }
}

/** Allows new resources in the account. @throws ACCOUNT_CLOSED, SVC_ACCOUNT_SUSPENDED */
export function mustAllowNewResources(account: AccountDocument): void {
  mustBeOpen(account);
  mustNotBeSuspended(account);
}

/** @throws SVC_ACCOUNT_SUSPENDED */
export function mustNotBeSuspended({ status }: AccountDocument): void {
  if (status === 'suspended') throw new ApiError('SVC_ACCOUNT_SUSPENDED');
}

/** @throws SVC_ACCOUNT_SUSPENDED, PUBLIC_API_DISABLED */
export function mustTakeJobs(account: AccountDocument): void {
  mustNotBeSuspended(account);
  if (!account.environment_enabled) throw new ApiError('PUBLIC_API_DISABLED');
}

/** A closed account is read-only; a suspended one can still be deactivated. @throws ACCOUNT_CLOSED */
export function mustBeOpen({ status }: AccountDocument): void {
  if (status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
}
