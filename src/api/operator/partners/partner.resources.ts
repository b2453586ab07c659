import { Field, optional } from '../../../http/validation/field.js';
import {
  dateTime,
  integer,
  listOf,
  name,
  objects,
  oneOf,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';

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
  @Field(integer(0, Number.MAX_SAFE_INTEGER)) total!: number;

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

  static readonly example: PartnerCredentials = { items: [PartnerCredential.example] };
}

export class NewPartnerCredential extends PartnerCredential {
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) credential!: string;

  static override readonly example: NewPartnerCredential = {
    ...PartnerCredential.example,
    credential: 'svc_partner_live_…',
  };
}
