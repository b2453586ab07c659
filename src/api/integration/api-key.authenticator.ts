import { Injectable } from '@nestjs/common';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import type { ApiKeyDocument } from '../../../projections/credentials/credentials.js';
import { ApiKeyQueries } from '../../../projections/credentials/credentials.queries.js';
import {
  CredentialCache,
  type Admission,
  type Authenticator,
  type Principal,
} from '../../http/authentication.js';
import { isRead } from '../../http/operation.js';
import { isCredential, parseCredential } from '../../kernel/credential.js';
import type { AccountEvent, ApiKeyEvent } from '../../contexts/accounts/index.js';
import { Clock } from '../../ports/clock.port.js';
import { EventStore } from '../../ports/event-store.port.js';

/** Every principal of this surface acts for one account. */
export interface AccountPrincipal extends Principal {
  readonly accountId: string;
  readonly stands: () => Promise<boolean>;
}

/** Works for a suspended account and a switched-off environment, so that a client can see the reason. */
const ALWAYS = 'getAccount';

/** After these events a cached key may be invalid. */
const INVALIDATING_EVENTS: ReadonlySet<string> = new Set<(AccountEvent | ApiKeyEvent)['type']>([
  'ApiKeyRevoked',
  'AccountClosed',
]);

/** Accepts API keys of active and suspended accounts; the account's state is checked after the request. */
@Injectable()
export class ApiKeyAuthenticator implements Authenticator {
  private readonly cache = new CredentialCache<AccountPrincipal & { readonly expiresAt?: string }>();

  constructor(
    private readonly keys: ApiKeyQueries,
    private readonly accounts: AccountQueries,
    private readonly clock: Clock,
    events: EventStore,
  ) {
    events.onAppended((appended) => {
      if (appended.some(({ type }) => INVALIDATING_EVENTS.has(type))) this.cache.clear();
    });
  }

  async authenticate(secret: string): Promise<AccountPrincipal | undefined> {
    const principal = await this.cache.get(secret, () => this.lookUp(secret));
    const expired = principal?.expiresAt !== undefined && principal.expiresAt <= this.clock.now();
    return expired ? undefined : principal;
  }

  async recordOf(secret: string): Promise<string | undefined> {
    const parsed = parseCredential(secret);
    if (parsed?.prefix !== 'svc_live_') return undefined;
    return (await this.keys.getKey(parsed.id))?.key_id;
  }

  /** Answers 403 for a suspended account, 503 for a switched-off environment; people may still read. */
  readonly admission: Admission = async ({ accountId, kind }, operation) => {
    if (operation.id === ALWAYS || (kind !== 'api_key' && isRead(operation))) return undefined;
    const account = await this.accounts.getAccount(accountId!);
    if (account?.status === 'suspended') return 'SVC_ACCOUNT_SUSPENDED';
    return account?.environment_enabled ? undefined : 'SVC_PUBLIC_API_DISABLED';
  };

  private async lookUp(secret: string) {
    const parsed = parseCredential(secret);
    if (parsed?.prefix !== 'svc_live_') return undefined;
    const key = await this.keys.getKey(parsed.id);
    if (!key || !isCredential(secret, key.hash) || !(await this.isValid(key))) return undefined;
    return {
      kind: 'api_key' as const,
      credentialId: key.key_id,
      accountId: key.account_id,
      scopes: new Set(key.scopes),
      environment: 'live' as const,
      expiresAt: key.expires_at,
      stands: () => this.stands(key.key_id),
    };
  }

  private async stands(keyId: string): Promise<boolean> {
    const key = await this.keys.getKey(keyId);
    return key !== undefined && (await this.isValid(key));
  }

  private async isValid({ status, expires_at, account_id }: ApiKeyDocument): Promise<boolean> {
    if (status !== 'active' || (expires_at !== undefined && expires_at <= this.clock.now())) return false;
    const account = await this.accounts.getAccount(account_id);
    return account !== undefined && account.status !== 'closed';
  }
}
