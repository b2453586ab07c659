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
  RegisterPartner,
  RevokePartnerCredential,
  type PartnerCredentialCommand,
} from '../../../contexts/accounts/index.js';
import type { Command, CommandResult } from '../../../kernel/command.js';
import { hashCredential, lastFour, mintCredential } from '../../../kernel/credential.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { Randomness } from '../../../kernel/ids.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { RequestOrigin } from '../../../http/request.js';
import { KeyAdministration } from '../../key-administration.js';
import { operationOf } from '../operator.surface.js';
import {
  CreateCredentialBody,
  CreateKeyBody,
  CreatePartnerBody,
  OperatorListQuery,
} from '../operator.requests.js';
import { withoutHash } from '../operator.resources.js';
import { refusalOf } from '../../errors/answers.js';

const account = { id: 'ACCOUNT_NOT_FOUND' } as const;
const partner = { id: 'PARTNER_NOT_FOUND' } as const;

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

  @Operation(
    operationOf({
      id: 'createKey',
      route: 'POST /v1/operator/accounts/:id/keys',
      summary: 'Create an API key; its secret is shown this once',
      params: account,
      body: CreateKeyBody,
      created: true,
      errors: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED'],
    }),
  )
  async createKey(@Param('id') accountId: string, @Body() body: CreateKeyBody, @RequestOrigin() by: Origin) {
    const { key, secret } = await this.keys.create(accountId, body, by);
    return answer('OK', { ...withoutHash(key), api_key: secret });
  }

  @Operation(
    operationOf({
      id: 'listKeys',
      route: 'GET /v1/operator/accounts/:id/keys',
      summary: 'API keys of an account, newest first',
      params: account,
      query: OperatorListQuery,
      errors: ['ACCOUNT_NOT_FOUND'],
    }),
  )
  async listKeys(@Param('id') accountId: string, @Query() query: OperatorListQuery) {
    if (!(await this.accounts.getAccount(accountId))) throw new ApiError('ACCOUNT_NOT_FOUND');
    const { items, total } = await this.listed.listKeys(accountId, query);
    return answer('OK', { items: items.map(withoutHash), total });
  }

  @Operation(
    operationOf({
      id: 'revokeKey',
      route: 'POST /v1/operator/keys/:id/revoke',
      summary: 'Revoke an API key',
      params: { id: 'KEY_NOT_FOUND' },
      errors: ['KEY_NOT_FOUND'],
    }),
  )
  async revokeKey(@Param('id') keyId: string, @RequestOrigin() by: Origin) {
    return answer('OK', withoutHash(await this.keys.revoke(keyId, by)));
  }

  @Operation(
    operationOf({
      id: 'createPartner',
      route: 'POST /v1/operator/partners',
      summary: 'Create a partner',
      body: CreatePartnerBody,
      created: true,
    }),
  )
  async createPartner(@Body() { name }: CreatePartnerBody, @RequestOrigin() by: Origin) {
    const { id } = await this.commands.execute(new RegisterPartner({ name, at: this.clock.now(), by }));
    return answer('OK', await this.partners.getPartner(id));
  }

  @Operation(
    operationOf({
      id: 'listPartners',
      route: 'GET /v1/operator/partners',
      summary: 'All partners, newest first',
      query: OperatorListQuery,
    }),
  )
  async listPartners(@Query() query: OperatorListQuery) {
    return answer('OK', await this.partners.listPartners(query));
  }

  @Operation(
    operationOf({
      id: 'createPartnerCredential',
      route: 'POST /v1/operator/partners/:id/credentials',
      summary: 'Create a partner credential; its secret is shown this once',
      params: partner,
      body: CreateCredentialBody,
      created: true,
      errors: ['PARTNER_NOT_FOUND'],
    }),
  )
  async createCredential(
    @Param('id') partnerId: string,
    @Body() body: CreateCredentialBody,
    @RequestOrigin() by: Origin,
  ) {
    if (!(await this.partners.getPartner(partnerId))) throw new ApiError('PARTNER_NOT_FOUND');
    const id = this.randomness.uuid();
    const secret = mintCredential(`svc_partner_${body.kind}_`, id, this.randomness.bytes(32));
    const credential = { partnerId, ...body, hash: hashCredential(secret), last4: lastFour(secret) };
    await this.decided(
      new CreatePartnerCredential({ credentialId: id, credential, at: this.clock.now(), by }),
    );
    return answer('OK', { ...(await this.credential(id)), credential: secret });
  }

  @Operation(
    operationOf({
      id: 'revokePartnerCredential',
      route: 'POST /v1/operator/credentials/:id/revoke',
      summary: 'Revoke a partner credential',
      params: { id: 'CREDENTIAL_NOT_FOUND' },
      errors: ['CREDENTIAL_NOT_FOUND'],
    }),
  )
  async revokeCredential(@Param('id') id: string, @RequestOrigin() by: Origin) {
    await this.decided(new RevokePartnerCredential({ credentialId: id, at: this.clock.now(), by }));
    return answer('OK', await this.credential(id));
  }

  private async decided(command: Command<CommandResult<PartnerCredentialCommand>>): Promise<void> {
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf('operator', outcome.rejection);
  }

  private async credential(id: string) {
    const credential = await this.credentials.getCredential(id);
    if (!credential) throw new ApiError('CREDENTIAL_NOT_FOUND');
    return withoutHash(credential);
  }
}
