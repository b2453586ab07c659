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
import { orNotFound } from '../../../http/errors/api-error.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { count, dateTime, listOf, name, objects, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Command, CommandResult } from '../../../kernel/command.js';
import { hashCredential, lastFour, mintCredential } from '../../../kernel/credential.js';
import { Randomness } from '../../../kernel/ids.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { LastUses } from '../../last-uses.js';
import { OperatorListQuery, withoutHash } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

const scopes = (min: number) => listOf(text({ max: 64 }), { min, max: 32 });

export class CreatePartnerBody {
  @Field(name({ max: 120 })) name!: string;
}

export class CreateCredentialBody {
  @Field(oneOf('live', 'test')) kind!: 'live' | 'test';
  @Field(scopes(1)) scopes!: string[];
}

/** A company that connects many accounts over the Partner API. */
export class Partner {
  @Field(uuid()) partner_id!: string;
  @Field(text({ max: 120 })) name!: string;
  @Field(text({ max: 60 }), { description: 'Its short name' }) partner!: string;
  @Field(dateTime()) created_at!: Instant;

  static readonly example: Partner = {
    partner_id: '01990000-0000-7000-8000-000000000008',
    ...{ name: 'Till Systems', partner: 'till-systems', created_at: '2026-11-21T12:00:00.000Z' },
  };
}

export class Partners {
  @Field(objects(() => Partner, 1_000), { description: 'Newest first' }) items!: readonly Partner[];
  @Field(count) total!: number;

  static readonly example: Partners = { items: [Partner.example], total: 1 };
}

/** A credential of the Partner API without its secret. It does not expire. */
export class PartnerCredential {
  @Field(uuid()) credential_id!: string;
  @Field(uuid()) partner_id!: string;
  @Field(oneOf('live', 'test')) kind!: 'live' | 'test';
  @Field(scopes(0)) scopes!: readonly string[];
  @Field(oneOf('active', 'revoked')) status!: 'active' | 'revoked';
  @Field(text({ max: 4 }), { description: 'The last four characters of the secret' }) last4!: string;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime(), { nullable: true, description: 'To the minute' }) last_used_at!: Instant | null;
  @Field(dateTime(), optional) revoked_at?: Instant;

  static readonly example: PartnerCredential = {
    credential_id: '01990000-0000-7000-8000-000000000009',
    partner_id: Partner.example.partner_id,
    ...{ kind: 'live', scopes: ['jobs:read', 'jobs:write'], status: 'active', last4: 'x7Qa' },
    ...{ created_at: '2026-11-21T12:00:00.000Z', last_used_at: null },
  };
}

export class PartnerCredentials {
  @Field(objects(() => PartnerCredential, 1_000), { description: 'Newest first' })
  items!: readonly PartnerCredential[];
}

export class NewPartnerCredential extends PartnerCredential {
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) credential!: string;

  static override readonly example: NewPartnerCredential = {
    ...PartnerCredential.example,
    credential: 'svc_partner_live_…',
  };
}

const tag = 'Account';

@Controller()
export class OperatorPartnersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly partners: PartnerQueries,
    private readonly credentials: PartnerCredentialQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    private readonly uses: LastUses,
  ) {}

  @OperatorOperation({
    id: 'createPartner',
    ...{ tag, type: Partner },
    route: 'POST /v1/operator/partners',
    summary: 'Create a partner',
    body: CreatePartnerBody,
    creates: true,
  })
  async createPartner(@Body() { name }: CreatePartnerBody, @Caller() { by }: Calling) {
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
    body: CreateCredentialBody,
    creates: true,
  })
  async createCredential(
    @Param('id') partnerId: string,
    @Body() body: CreateCredentialBody,
    @Caller() { by }: Calling,
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
  })
  async revokeCredential(@Param('id') id: string, @Caller() { by }: Calling) {
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
    const used = await this.uses.of(
      'partner-credential',
      found.map(({ credential_id }) => credential_id),
    );
    return found.map((one, n) => ({ ...withoutHash(one), last_used_at: used[n] ?? null }));
  }
}
