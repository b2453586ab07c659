import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import type { ApiKeyDocument } from '../../projections/credentials/credentials.js';
import { ApiKeyQueries } from '../../projections/credentials/credentials.queries.js';
import { type ApiKeyCommand, CreateApiKey, RevokeApiKey } from '../contexts/accounts/index.js';
import { ApiError, orNotFound } from '../http/errors/api-error.js';
import type { Command, CommandResult } from '../kernel/command.js';
import { hashCredential, lastFour, mintCredential } from '../kernel/credential.js';
import { Randomness } from '../kernel/ids.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, type Instant } from '../kernel/time.js';
import { orRefuse } from './errors/answers.js';

interface NewKey {
  readonly name?: string;
  readonly scopes: readonly string[];
  readonly expires_at?: Instant;
}

const ALL = { limit: 10_000, offset: 0 };

/** What members and operators do with the API keys of an account. */
@Injectable()
export class KeyAdministration {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly keys: ApiKeyQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  /** Resolves to the key and its secret. @throws ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, INVALID_REQUEST */
  async create(accountId: string, { name, scopes, expires_at: expiresAt }: NewKey, by: Origin) {
    const owner = orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    if (owner.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    const keyId = this.randomness.uuid();
    const secret = mintCredential('svc_live_', keyId, this.randomness.bytes(32));
    const key = { accountId, name, scopes, expiresAt, hash: hashCredential(secret), last4: lastFour(secret) };
    await this.decided(new CreateApiKey({ keyId, key, at: this.clock.now(), by }));
    return { key: await this.get(keyId), secret };
  }

  /** Of one account, or of any. @throws KEY_NOT_FOUND */
  async get(keyId: string, accountId?: string): Promise<ApiKeyDocument> {
    const key = await this.keys.getKey(keyId);
    if (!key || key.account_id !== (accountId ?? key.account_id)) throw new ApiError('KEY_NOT_FOUND');
    return key;
  }

  /** The active keys that a member made. */
  async madeBy(accountId: string, memberId: string): Promise<readonly ApiKeyDocument[]> {
    const { items } = await this.keys.listKeys(accountId, ALL);
    return items.filter(({ status, created_by: { id } }) => status === 'active' && id === memberId);
  }

  /** @throws KEY_NOT_FOUND */
  async revoke(keyId: string, by: Origin): Promise<ApiKeyDocument> {
    await this.decided(new RevokeApiKey({ keyId, at: this.clock.now(), by }));
    return this.get(keyId);
  }

  private async decided(command: Command<CommandResult<ApiKeyCommand>>): Promise<void> {
    orRefuse('operator', await this.commands.execute(command));
  }
}
