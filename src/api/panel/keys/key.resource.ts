import type { ApiKeyDocument } from '../../../../projections/credentials/credentials.js';
import { Field, orNull } from '../../../http/validation/field.js';
import { present } from '../../../http/validation/present.js';
import { dateTime, listOf, object, objects, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { NamedActor } from '../actor-names.js';

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

  static readonly example: PanelKeys = { items: [PanelKey.example] };
}

export function keyResource(
  document: ApiKeyDocument,
  created_by: NamedActor,
  lastUsedAt: Instant | undefined,
): PanelKey {
  return present(PanelKey, document, { created_by, last_used_at: lastUsedAt });
}
