import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { PartnerCredentialDocument } from '../../../../projections/credentials/credentials.js';
import { PartnerCredentialQueries } from '../../../../projections/credentials/credentials.queries.js';
import { PartnerQueries } from '../../../../projections/accounts/accounts.queries.js';
import {
  CreatePartnerCredential,
  type PartnerCredentialCommand,
  RegisterPartner,
  RevokePartnerCredential,
} from '../../../contexts/accounts/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import type { Command, CommandResult } from '../../../kernel/command.js';
import { hashCredential, lastFour, mintCredential } from '../../../kernel/credential.js';
import { Randomness } from '../../../kernel/ids.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { LastUses } from '../../last-uses.js';
import { OperatorListQuery, withoutHash } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';
import {
  CreateCredentialBody,
  CreatePartnerBody,
  NewPartnerCredential,
  Partner,
  PartnerCredential,
  PartnerCredentials,
  Partners,
} from './partner.resources.js';

const partner = { id: 'PARTNER_NOT_FOUND' } as const;
const tag = 'Account';

@Controller()
export class OperatorPartnersController {
  private readonly uses: LastUses;

  constructor(
    private readonly commands: CommandBus,
    private readonly partners: PartnerQueries,
    private readonly credentials: PartnerCredentialQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    liveness: LivenessStore,
  ) {
    this.uses = new LastUses(liveness, 'partner-credential');
  }

  @OperatorOperation({
    id: 'createPartner',
    ...{ tag, type: Partner },
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
    ...{ tag, type: Partners },
    route: 'GET /v1/operator/partners',
    summary: 'List all partners, newest first',
    query: OperatorListQuery,
  })
  async listPartners(@Query() query: OperatorListQuery) {
    return await this.partners.listPartners(query);
  }

  @OperatorOperation({
    id: 'listPartnerCredentials',
    ...{ tag, type: PartnerCredentials },
    route: 'GET /v1/operator/partners/:id/credentials',
    summary: 'List the credentials of a partner, newest first, with their last use',
    params: partner,
  })
  async listCredentials(@Param('id') partnerId: string): Promise<PartnerCredentials> {
    orNotFound(await this.partners.getPartner(partnerId), 'PARTNER_NOT_FOUND');
    return { items: await this.shown(await this.credentials.listCredentials(partnerId)) };
  }

  @OperatorOperation({
    id: 'createPartnerCredential',
    ...{ tag, type: NewPartnerCredential },
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
    ...{ tag, type: PartnerCredential },
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

  private async credential(id: string): Promise<PartnerCredential> {
    const found = orNotFound(await this.credentials.getCredential(id), 'CREDENTIAL_NOT_FOUND');
    return (await this.shown([found]))[0]!;
  }

  private async shown(found: readonly PartnerCredentialDocument[]): Promise<readonly PartnerCredential[]> {
    const used = await this.uses.of(found.map(({ credential_id }) => credential_id));
    return found.map((one, n) => ({ ...withoutHash(one), last_used_at: used[n] ?? null }));
  }
}
