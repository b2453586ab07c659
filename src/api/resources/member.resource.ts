import type { MemberDocument } from '../../../projections/members/members.js';
import { MEMBER_ROLES, type MemberRole } from '../../contexts/members/index.js';
import { Field, orNull, present } from '../../http/validation/field.js';
import { boolean, dateTime, object, objects, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

export class MemberResource {
  @Field(uuid()) member_id!: string;
  @Field(text({ max: 40 })) name!: string;
  @Field(text({ max: 101 }), { description: 'What the person enters to sign in' }) sign_in_name!: string;
  @Field(text({ max: 80 })) display_name!: string;
  @Field(oneOf(...MEMBER_ROLES)) role!: MemberRole;
  @Field(oneOf('active', 'removed')) status!: 'active' | 'removed';
  @Field(boolean()) has_password!: boolean;
  @Field(dateTime()) invited_at!: Instant;

  static readonly example: MemberResource = {
    member_id: '01990000-0000-7000-8000-000000000001',
    name: 'bea',
    sign_in_name: 'bea@demo-bakery',
    display_name: 'Bea',
    role: 'owner',
    status: 'active',
    has_password: true,
    invited_at: '2026-11-23T12:00:00.000Z',
  };
}

export class MemberList {
  @Field(objects(() => MemberResource, 100), { description: 'In the order of their invitations' })
  items!: readonly MemberResource[];
}

/** @param slug of the account */
export function memberResource(document: MemberDocument, slug: string): MemberResource {
  return present(MemberResource, document, { sign_in_name: `${document.name}@${slug}` });
}

/** A link that signs a person in once. */
export class PanelLinkResource {
  @Field(text({ max: 2_000 }), { description: 'A secret, shown this once' }) url!: string;
  @Field(dateTime()) expires_at!: Instant;

  static readonly example: PanelLinkResource = {
    url: 'https://print.example.com/panel/#/enter/svc_link_live_…',
    expires_at: '2026-11-26T12:00:00.000Z',
  };
}

export class MemberWithLink extends MemberResource {
  @Field(object(() => PanelLinkResource)) link!: PanelLinkResource;

  static override readonly example: MemberWithLink = {
    ...MemberResource.example,
    link: PanelLinkResource.example,
  };
}

export class KeyOfMember {
  @Field(uuid()) key_id!: string;
  @Field(text({ max: 120 }), orNull) name!: string | null;
  @Field(oneOf('active', 'revoked')) status!: 'active' | 'revoked';
  @Field(text({ max: 4 })) last4!: string;
}

export class RemovedMember extends MemberResource {
  @Field(objects(() => KeyOfMember, 10_000), {
    description: 'Keys that the member made and that were active; revoked with `revoke_keys`',
  })
  keys!: readonly KeyOfMember[];

  static override readonly example: RemovedMember = {
    ...MemberResource.example,
    status: 'removed',
    keys: [
      { key_id: '01990000-0000-7000-8000-000000000004', name: 'Till', status: 'revoked', last4: 'x7Qa' },
    ],
  };
}
