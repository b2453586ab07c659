import { Body, Controller, Param, Query } from '@nestjs/common';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import type { ApiKeyDocument } from '../../../../projections/credentials/credentials.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, listOf, name, text } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { KeyAdministration } from '../../key-administration.js';
import { OperatorListQuery, withoutHash } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

export class CreateKeyBody {
  @Field(listOf(text({ max: 64 }), { min: 1, max: 32 })) scopes!: string[];
  @Field(dateTime(), optional) expires_at?: string;
  @Field(name({ max: 120 }), optional) name?: string;
}

@Controller()
export class OperatorCredentialsController {
  constructor(
    private readonly accounts: AccountQueries,
    private readonly keys: KeyAdministration,
    private readonly listed: ApiKeyQueries,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'createKey',
    route: 'POST /v1/operator/accounts/:id/keys',
    summary: 'Create an API key; its secret is shown this once',
    body: CreateKeyBody,
    creates: true,
  })
  async createKey(@Param('id') accountId: string, @Body() body: CreateKeyBody, @Caller() { by }: Calling) {
    const { key, secret } = await this.keys.create(accountId, body, by);
    return { ...withoutHash(key), api_key: secret };
  }

  @OperatorOperation({
    id: 'listKeys',
    route: 'GET /v1/operator/accounts/:id/keys',
    summary: 'API keys of an account, newest first',
    query: OperatorListQuery,
  })
  async listKeys(@Param('id') accountId: string, @Query() query: OperatorListQuery) {
    orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    const { items, total } = await this.listed.listKeys(accountId, query);
    const now = this.clock.now();
    return { items: items.map((key) => ({ ...withoutHash(key), status: statusOf(key, now) })), total };
  }

  @OperatorOperation({
    id: 'revokeKey',
    route: 'POST /v1/operator/keys/:id/revoke',
    summary: 'Revoke an API key',
  })
  async revokeKey(@Param('id') keyId: string, @Caller() { by }: Calling) {
    return withoutHash(await this.keys.revoke(keyId, by));
  }
}

/** An active key expires by itself. */
const statusOf = ({ status, expires_at }: ApiKeyDocument, now: Instant) =>
  status === 'active' && expires_at !== undefined && expires_at <= now ? 'expired' : status;
