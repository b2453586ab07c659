import { Injectable } from '@nestjs/common';
import type { AccountDocument } from '../../../projections/accounts/accounts.js';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import type { ApiKeyDocument } from '../../../projections/credentials/credentials.js';
import { ApiKeyQueries } from '../../../projections/credentials/credentials.queries.js';
import type { AccountEvent, ApiKeyEvent } from '../../contexts/accounts/index.js';
import { EventStore } from '../../event-sourcing/index.js';
import { type Admission, CachedAuthenticator, type Principal } from '../../http/authentication.js';
import { ApiError } from '../../http/errors/api-error.js';
import { isRead } from '../../http/operation.js';
import type { Calling } from '../../http/request.js';
import { isCredential } from '../../kernel/credential.js';
import { Clock, type Instant } from '../../kernel/time.js';
import { LastUses } from '../last-uses.js';
import { ALWAYS } from './integration.surface.js';

/** Every principal of this surface acts for one account. */
export interface AccountPrincipal extends Principal {
  readonly accountId: string;
  readonly isStillValid: () => Promise<boolean>;
}
export type AccountCaller = Calling<AccountPrincipal>;

const OUTDATED_BY: readonly (AccountEvent | ApiKeyEvent)['type'][] = ['ApiKeyRevoked', 'AccountClosed'];

interface CachedKey extends AccountPrincipal {
  readonly expiresAt?: Instant;
}

/** Accepts API keys of active and suspended accounts; the account's state is checked after the request. */
@Injectable()
export class ApiKeyAuthenticator extends CachedAuthenticator<CachedKey, AccountPrincipal> {
  constructor(
    private readonly keys: ApiKeyQueries,
    private readonly accounts: AccountQueries,
    private readonly uses: LastUses,
    private readonly clock: Clock,
    events: EventStore,
  ) {
    super(events, { prefixes: ['svc_live_'], outdatedBy: OUTDATED_BY });
  }

  protected override async findRecord(id: string): Promise<string | undefined> {
    return (await this.keys.getKey(id))?.key_id;
  }

  /** Answers 403 for a suspended account, 503 for a switched-off environment; people may still read. */
  readonly admission: Admission = async ({ accountId, kind }, operation) => {
    if (operation.id === ALWAYS || (kind !== 'api_key' && isRead(operation))) return undefined;
    return refusalOf(await this.accounts.getAccount(accountId!));
  };

  /** Undefined if it has expired. Notes the use for `last_used_at`, at most once a minute. */
  protected async use(key: CachedKey): Promise<CachedKey | undefined> {
    const now = this.clock.now();
    if (key.expiresAt !== undefined && key.expiresAt <= now) return undefined;
    await this.uses.note('key', key.credentialId, now);
    return key;
  }

  protected async find(id: string, secret: string): Promise<CachedKey | undefined> {
    const key = await this.keys.getKey(id);
    if (!key || !isCredential(secret, key.hash)) return undefined;
    const account = await this.accountOf(key);
    if (!account) return undefined;
    return {
      kind: 'api_key' as const,
      credentialId: key.key_id,
      accountId: key.account_id,
      ...(account.partner_id !== undefined && { partnerId: account.partner_id }),
      scopes: new Set(key.scopes),
      expiresAt: key.expires_at,
      isStillValid: () => this.isStillValid(key.key_id),
    };
  }

  /** @throws ApiError if the account is not admitted any more */
  private async isStillValid(keyId: string): Promise<boolean> {
    const key = await this.keys.getKey(keyId);
    const account = key && (await this.accountOf(key));
    if (!account) return false;
    const refusal = refusalOf(account);
    if (refusal) throw new ApiError(refusal);
    return true;
  }

  /** Undefined if the key is revoked or expired, or the account closed. */
  private async accountOf({ status, expires_at, account_id }: ApiKeyDocument) {
    if (status !== 'active' || (expires_at !== undefined && expires_at <= this.clock.now())) return undefined;
    const account = await this.accounts.getAccount(account_id);
    return account?.status === 'closed' ? undefined : account;
  }
}

function refusalOf(account: AccountDocument | undefined) {
  if (account?.status === 'suspended') return 'SVC_ACCOUNT_SUSPENDED';
  return account?.environment_enabled ? undefined : 'SVC_PUBLIC_API_DISABLED';
}
