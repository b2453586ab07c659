import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import {
  ApiKeyQueries,
  PartnerCredentialQueries,
} from '../../../../projections/credentials/credentials.queries.js';
import { PartnerQueries } from '../../../../projections/partners/partners.queries.js';
import {
  CreatePartnerCredential,
  type PartnerCredentialCommand,
  RegisterPartner,
  RevokePartnerCredential,
} from '../../../contexts/accounts/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, listOf, name, oneOf, text } from '../../../http/validation/rules.js';
import type { Command, CommandResult } from '../../../kernel/command.js';
import { hashCredential, lastFour, mintCredential } from '../../../kernel/credential.js';
import { Randomness } from '../../../kernel/ids.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { KeyAdministration } from '../../key-administration.js';
import { OperatorListQuery, withoutHash } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

const account = { id: 'ACCOUNT_NOT_FOUND' } as const;
const partner = { id: 'PARTNER_NOT_FOUND' } as const;

export class CreateKeyBody {
  @Field(listOf(text({ max: 64 }), { min: 1, max: 32 })) scopes!: string[];
  @Field(dateTime(), optional) expires_at?: string;
  @Field(name({ max: 120 }), optional) name?: string;
}

export class CreatePartnerBody {
  @Field(name({ max: 120 })) name!: string;
}

export class CreateCredentialBody {
  @Field(oneOf('live', 'test')) kind!: 'live' | 'test';
  @Field(listOf(text({ max: 64 }), { min: 1, max: 32 })) scopes!: string[];
}

@Controller()
export class OperatorCredentialsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly keys: KeyAdministration,
    private readonly listed: ApiKeyQueries,
    private readonly partners: PartnerQueries,
    private readonly credentials: PartnerCredentialQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'createKey',
    route: 'POST /v1/operator/accounts/:id/keys',
    summary: 'Create an API key; its secret is shown this once',
    params: account,
    body: CreateKeyBody,
    creates: true,
    errors: ['ACCOUNT_CLOSED'],
  })
  async createKey(@Param('id') accountId: string, @Body() body: CreateKeyBody, @RequestOrigin() by: Origin) {
    const { key, secret } = await this.keys.create(accountId, body, by);
    return { ...withoutHash(key), api_key: secret };
  }

  @OperatorOperation({
    id: 'listKeys',
    route: 'GET /v1/operator/accounts/:id/keys',
    summary: 'API keys of an account, newest first',
    params: account,
    query: OperatorListQuery,
  })
  async listKeys(@Param('id') accountId: string, @Query() query: OperatorListQuery) {
    orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    const { items, total } = await this.listed.listKeys(accountId, query);
    return { items: items.map(withoutHash), total };
  }

  @OperatorOperation({
    id: 'revokeKey',
    route: 'POST /v1/operator/keys/:id/revoke',
    summary: 'Revoke an API key',
    params: { id: 'KEY_NOT_FOUND' },
  })
  async revokeKey(@Param('id') keyId: string, @RequestOrigin() by: Origin) {
    return withoutHash(await this.keys.revoke(keyId, by));
  }

  @OperatorOperation({
    id: 'createPartner',
    route: 'POST /v1/operator/partners',
    summary: 'Create a partner',
    body: CreatePartnerBody,
    creates: true,
  })
  async createPartner(@Body() { name }: CreatePartnerBody, @RequestOrigin() by: Origin) {
    const { id } = await this.commands.execute(new RegisterPartner({ name, at: this.clock.now(), by }));
    return await this.partners.getPartner(id);
  }

  @OperatorOperation({
    id: 'listPartners',
    route: 'GET /v1/operator/partners',
    summary: 'All partners, newest first',
    query: OperatorListQuery,
  })
  async listPartners(@Query() query: OperatorListQuery) {
    return await this.partners.listPartners(query);
  }

  @OperatorOperation({
    id: 'createPartnerCredential',
    route: 'POST /v1/operator/partners/:id/credentials',
    summary: 'Create a partner credential; its secret is shown this once',
    params: partner,
    body: CreateCredentialBody,
    creates: true,
  })
  async createCredential(
    @Param('id') partnerId: string,
    @Body() body: CreateCredentialBody,
    @RequestOrigin() by: Origin,
  ) {
    orNotFound(await this.partners.getPartner(partnerId), 'PARTNER_NOT_FOUND');
    const id = this.randomness.uuid();
    const secret = mintCredential(`svc_partner_${body.kind}_`, id, this.randomness.bytes(32));
    const credential = { partnerId, ...body, hash: hashCredential(secret), last4: lastFour(secret) };
    await this.decided(
      new CreatePartnerCredential({ credentialId: id, credential, at: this.clock.now(), by }),
    );
    return { ...(await this.credential(id)), credential: secret };
  }

  @OperatorOperation({
    id: 'revokePartnerCredential',
    route: 'POST /v1/operator/credentials/:id/revoke',
    summary: 'Revoke a partner credential',
    params: { id: 'CREDENTIAL_NOT_FOUND' },
  })
  async revokeCredential(@Param('id') id: string, @RequestOrigin() by: Origin) {
    await this.decided(new RevokePartnerCredential({ credentialId: id, at: this.clock.now(), by }));
    return await this.credential(id);
  }

  private async decided(command: Command<CommandResult<PartnerCredentialCommand>>): Promise<void> {
    orRefuse('operator', await this.commands.execute(command));
  }

  private async credential(id: string) {
    const credential = orNotFound(await this.credentials.getCredential(id), 'CREDENTIAL_NOT_FOUND');
    return withoutHash(credential);
  }
}
