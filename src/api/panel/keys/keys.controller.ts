import { Body, Controller, Param } from '@nestjs/common';
import type { ApiKeyDocument } from '../../../../projections/credentials/credentials.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import { INTEGRATION_SCOPES } from '../../../contexts/accounts/index.js';
import { created, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional, orNull, present } from '../../../http/validation/field.js';
import {
  dateTime,
  listOf,
  name,
  object,
  objects,
  oneOf,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { KeyAdministration } from '../../key-administration.js';
import { LastUses } from '../../last-uses.js';
import { ActorNames, NamedActor } from '../actor-names.js';
import { panel } from '../panel.surface.js';
import type { MemberCaller, MemberPrincipal } from '../session.authenticator.js';

/** More than a page shows. */
const NEWEST = { limit: 1_000, offset: 0 };

export class CreatePanelKeyBody {
  @Field(name({ max: 120 })) name!: string;
  @Field(listOf(oneOf(...INTEGRATION_SCOPES), { min: 1, max: INTEGRATION_SCOPES.length })) scopes!: string[];
  @Field(dateTime(), optional) expires_at?: string;
}

/** An API key without its secret. */
export class PanelKey {
  @Field(uuid()) key_id!: string;
  @Field(text({ max: 120 }), orNull) name!: string | null;
  @Field(listOf(text({ max: 64 }), { max: 32 })) scopes!: readonly string[];
  @Field(oneOf('active', 'revoked')) status!: 'active' | 'revoked';
  @Field(text({ max: 4 }), { description: 'The last four characters of the secret' }) last4!: string;
  @Field(dateTime(), orNull) expires_at!: Instant | null;
  @Field(dateTime()) created_at!: Instant;
  @Field(object(() => NamedActor)) created_by!: NamedActor;
  @Field(dateTime(), { nullable: true, description: 'To the minute' }) last_used_at!: Instant | null;
  @Field(dateTime(), orNull) revoked_at!: Instant | null;

  static readonly example: PanelKey = {
    key_id: '01990000-0000-7000-8000-000000000004',
    name: 'Till',
    scopes: ['jobs:create', 'jobs:read'],
    status: 'active',
    last4: 'x7Qa',
    expires_at: null,
    created_at: '2026-11-23T12:00:00.000Z',
    created_by: NamedActor.example,
    last_used_at: null,
    revoked_at: null,
  };
}

/** Shows the secret, for the only time. */
export class PanelKeyWithSecret extends PanelKey {
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) api_key!: string;

  static override readonly example: PanelKeyWithSecret = { ...PanelKey.example, api_key: 'svc_live_…' };
}

export class PanelKeys {
  @Field(objects(() => PanelKey, 1_000), { description: 'Newest first' })
  items!: readonly PanelKey[];
}

export function keyResource(
  document: ApiKeyDocument,
  created_by: NamedActor,
  lastUsedAt: Instant | undefined,
): PanelKey {
  return present(PanelKey, document, { created_by, last_used_at: lastUsedAt });
}

const Operation = operationsOf(panel, { tag: 'Keys', scopes: ['panel:keys'] });

@Controller()
export class PanelKeysController {
  constructor(
    private readonly keys: KeyAdministration,
    private readonly listed: ApiKeyQueries,
    private readonly names: ActorNames,
    private readonly uses: LastUses,
  ) {}

  @Operation({
    id: 'listKeys',
    route: 'GET /v1/panel/keys',
    summary: 'List the API keys',
    limit: { perMinute: 60 },
    success: ok('The keys, also revoked ones.', PanelKeys),
  })
  async list(@Caller() { accountId }: MemberPrincipal) {
    const { items } = await this.listed.listKeys(accountId, NEWEST);
    return { items: await this.shown(accountId, items) };
  }

  @Operation({
    id: 'createKey',
    route: 'POST /v1/panel/keys',
    summary: 'Create an API key',
    limit: { perMinute: 30 },
    body: CreatePanelKeyBody,
    requestExample: { name: 'Till', scopes: ['jobs:create', 'jobs:read'] },
    success: created('The key, and its secret.', PanelKeyWithSecret),
    errors: ['ACCOUNT_CLOSED'],
  })
  async create(@Body() body: CreatePanelKeyBody, @Caller() { accountId, by }: MemberCaller) {
    const { key, secret } = await this.keys.create(accountId, body, by);
    const [shown] = await this.shown(accountId, [key]);
    return { ...shown, api_key: secret };
  }

  @Operation({
    id: 'revokeKey',
    route: 'POST /v1/panel/keys/:key_id/revoke',
    summary: 'Revoke an API key',
    description: 'The key is refused from now on, for good.',
    limit: { perMinute: 30 },
    success: ok('The revoked key.', PanelKey),
  })
  async revoke(@Param('key_id') keyId: string, @Caller() { accountId, by }: MemberCaller) {
    await this.keys.get(keyId, accountId);
    const [shown] = await this.shown(accountId, [await this.keys.revoke(keyId, by)]);
    return shown;
  }

  private async shown(accountId: string, keys: readonly ApiKeyDocument[]): Promise<readonly PanelKey[]> {
    const [named, used] = await Promise.all([
      this.names.of(
        accountId,
        keys.map(({ created_by }) => created_by),
      ),
      this.uses.of(
        'key',
        keys.map(({ key_id }) => key_id),
      ),
    ]);
    return keys.map((key, n) => keyResource(key, named(key.created_by), used[n]));
  }
}
