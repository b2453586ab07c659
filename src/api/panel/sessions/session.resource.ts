import type { AccountDocument } from '../../../../projections/accounts/accounts.js';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../../contexts/accounts/index.js';
import {
  MEMBER_ROLES,
  type MemberRole,
  needsNoOldPassword,
  type Theme,
  THEMES,
} from '../../../contexts/members/index.js';
import { Field, optional, orNull, present } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  listOf,
  object,
  objects,
  oneOf,
  type Rule,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { AccountPlan } from '../../resources/account.resource.js';
import { NamedActor } from '../actor-names.js';
import type { CachedSession, MemberPrincipal, SessionPrincipal } from '../session.authenticator.js';

export class SessionAccount {
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 120 })) name!: string;
  @Field(text({ max: 60 })) slug!: string;
  @Field(oneOf(...ACCOUNT_STATUSES)) status!: AccountStatus;
  @Field(boolean()) environment_enabled!: boolean;
  @Field(object(() => AccountPlan)) plan!: AccountPlan;
}

/** A sign-in link for the member, made by another person. */
export class LinkNotice {
  @Field(object(() => NamedActor)) made_by!: NamedActor;
  @Field(dateTime()) made_at!: Instant;
  @Field(dateTime(), { nullable: true, description: 'When it was used' })
  used_at!: Instant | null;
}

export class PanelSession {
  @Field(oneOf('member', 'operator')) kind!: 'member' | 'operator';
  @Field(text({ max: 40 }), { description: 'Id of the member, or name of the operator' }) person_id!: string;
  @Field(text({ max: 80 })) display_name!: string;
  @Field(text({ max: 101 }), orNull) sign_in_name!: string | null;
  @Field(oneOf(...MEMBER_ROLES), orNull) role!: MemberRole | null;
  @Field(listOf(text({ max: 64 }), { max: 32 })) scopes!: readonly string[];
  @Field(object(() => SessionAccount), orNull)
  account!: SessionAccount | null;
  @Field(boolean()) has_password!: boolean;
  @Field(boolean(), { description: 'A new password needs no old one' }) old_password_not_needed!: boolean;
  @Field(oneOf(...THEMES), { description: 'Colours of the pages' }) theme!: Theme;
  @Field(dateTime()) signed_in_at!: Instant;
  @Field(objects(() => LinkNotice, 20), { description: 'Shown until dismissed' })
  link_notices!: readonly LinkNotice[];
  @Field(dateTime(), {
    nullable: true,
    description: 'Until then an operator sees the account as its viewers do',
  })
  visit_ends_at!: Instant | null;
}

class Versions {
  @Field(text({ max: 40 })) product!: string;
  @Field(constant('v1')) contract!: 'v1';
}

/** Who is signed in; null if nobody is. */
export class SessionState {
  @Field(object(() => PanelSession), orNull)
  session!: PanelSession | null;
  @Field(object(() => Versions)) versions!: Versions;

  static readonly example: SessionState = {
    session: {
      kind: 'member',
      person_id: '01990000-0000-7000-8000-000000000001',
      display_name: 'Bea',
      sign_in_name: 'bea@demo-bakery',
      role: 'viewer',
      scopes: ['account:read', 'jobs:read'],
      account: {
        account_id: '01990000-0000-7000-8000-000000000002',
        name: 'Demo bakery',
        slug: 'demo-bakery',
        status: 'active',
        environment_enabled: true,
        plan: { jobs_per_month: null, max_content_bytes: 10_485_760, max_auto_retries: 3 },
      },
      has_password: true,
      old_password_not_needed: false,
      theme: 'system',
      signed_in_at: '2026-11-23T12:00:00.000Z',
      link_notices: [],
      visit_ends_at: null,
    },
    versions: { product: '2.0.59', contract: 'v1' },
  };
}

export function operatorSession({ actorId = '', session }: SessionPrincipal): PanelSession {
  return {
    ...{ kind: 'operator', person_id: actorId, display_name: actorId, sign_in_name: null, role: null },
    ...{ scopes: [], account: null, has_password: false, old_password_not_needed: false, theme: 'system' },
    ...{ signed_in_at: session.openedAt, link_notices: [], visit_ends_at: null },
  };
}

export function visitorSession(caller: SessionPrincipal, account: AccountDocument): PanelSession {
  const { scopes, session } = caller;
  return {
    ...operatorSession(caller),
    ...{ role: 'viewer', scopes: [...scopes], account: present(SessionAccount, account, {}) },
    visit_ends_at: session.visit?.endsAt ?? null,
  };
}

export function memberSession(
  { member, scopes, session, actorId = '' }: MemberPrincipal,
  account: AccountDocument,
  link_notices: readonly LinkNotice[],
  now: Instant,
): PanelSession {
  const { name, displayName, role, password, theme = 'system' } = member;
  return {
    kind: 'member',
    person_id: actorId,
    display_name: displayName,
    sign_in_name: `${name}@${account.slug}`,
    role,
    scopes: [...scopes],
    account: present(SessionAccount, account, {}),
    has_password: password !== undefined,
    old_password_not_needed: needsNoOldPassword(session, now),
    theme,
    signed_in_at: session.openedAt,
    link_notices,
    visit_ends_at: null,
  };
}

export class OpenSession {
  @Field(uuid()) session_id!: string;
  @Field(boolean(), { description: 'It made this request' }) current!: boolean;
  @Field(oneOf('link', 'password')) signed_in_by!: 'link' | 'password';
  @Field(dateTime()) signed_in_at!: Instant;
  @Field(dateTime(), { description: 'To the minute' }) last_request_at!: Instant;
  @Field(text({ max: 200 }), orNull) address!: string | null;
  @Field(text({ max: 200 }), orNull) user_agent!: string | null;
}

export class OpenSessions {
  @Field(objects(() => OpenSession, 100), { description: 'The last used first' })
  items!: readonly OpenSession[];

  static readonly example: OpenSessions = {
    items: [
      {
        session_id: '01990000-0000-7000-8000-000000000003',
        ...{ current: true, signed_in_by: 'password' },
        ...{ signed_in_at: '2026-11-23T12:00:00.000Z', last_request_at: '2026-11-23T12:05:00.000Z' },
        ...{ address: '192.0.2.7', user_agent: 'Mozilla/5.0' },
      },
    ],
  };
}

export function openSession({ session, lastRequestAt }: CachedSession, currentId: string): OpenSession {
  const { sessionId, signedInBy, openedAt, address = null, userAgent = null } = session;
  return {
    ...{ session_id: sessionId, current: sessionId === currentId, signed_in_by: signedInBy },
    ...{ signed_in_at: openedAt, last_request_at: lastRequestAt, address, user_agent: userAgent },
  };
}

/** Any characters: what a person enters is compared, or judged by the rules for passwords. */
const secret: Rule = {
  schema: { type: 'string', minLength: 1, maxLength: 1_024 },
  message: 'must be 1 to 1024 characters',
  accepts: (value) => typeof value === 'string' && value.length >= 1 && value.length <= 1_024,
};

export class SignInBody {
  @Field(text({ max: 120 })) sign_in_name!: string;
  @Field(secret) password!: string;
}

export class LinkSignInBody {
  @Field(secret) token!: string;
}

export class EndSessionBody {
  @Field(boolean(), optional) everywhere: boolean = false;
}

export class PasswordBody {
  @Field(secret, optional) current?: string;
  @Field(secret) next!: string;
}
