import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { MemberQueries } from '../../projections/members/members.queries.js';
import {
  ChangeMemberRole,
  InviteWithLink,
  IssuePanelLink,
  MEMBER_ROLES,
  memberOf,
  type MemberRole,
  members,
  RemoveMember,
} from '../contexts/members/index.js';
import { AggregateStore } from '../event-sourcing/index.js';
import { ApiError, orNotFound } from '../http/errors/api-error.js';
import { originOf } from '../http/request.js';
import { PUBLIC_ADDRESS, type PublicAddress } from '../http/session-cookie.js';
import { Field, optional, present } from '../http/validation/field.js';
import { boolean, integer, name, oneOf, text } from '../http/validation/rules.js';
import { hashCredential, mintCredential } from '../kernel/credential.js';
import { Randomness } from '../kernel/ids.js';
import { Clock, type Instant, plus } from '../kernel/time.js';
import { orRefuse } from './errors/answers.js';
import { KeyAdministration } from './key-administration.js';
import {
  KeyOfMember,
  memberResource,
  type MemberResource,
  type MemberWithLink,
  type RemovedMember,
} from './resources/member.resource.js';

/** Seconds that a link is valid. */
export const LINK_TTL = { operator: 600, renewed: 1_800, invitation: 259_200 } as const;

export interface MintedLink {
  readonly stored: { readonly hash: string; readonly expiresAt: Instant };
  readonly shown: { readonly url: string; readonly expires_at: Instant };
}

/** Makes sign-in links. The secret is in the fragment, which browsers do not send. */
@Injectable()
export class PanelLinks {
  constructor(
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  mint(linkId: string, ttlSeconds: number, request: FastifyRequest): MintedLink {
    const secret = mintCredential('svc_link_live_', linkId, this.randomness.bytes(32));
    const expiresAt = plus(this.clock.now(), ttlSeconds * 1000);
    const url = `${this.address.publicUrl ?? listenerOf(request)}/panel/#/enter/${secret}`;
    return { stored: { hash: hashCredential(secret), expiresAt }, shown: { url, expires_at: expiresAt } };
  }
}

/** Address of the listener that took the request, for browsers of the same machine. */
function listenerOf({ socket }: FastifyRequest): string {
  return `http://127.0.0.1:${socket.localPort ?? 80}`;
}

const ttl = integer(60, 259_200);
const NAME = {
  max: 40,
  pattern: /^[a-z0-9][a-z0-9._-]{0,39}$/,
  message: 'must be 1 to 40 of a-z, 0-9, dot, underscore and hyphen, and begin with a letter or digit',
};

export class InviteMemberBody {
  @Field(text(NAME), { example: 'anna' }) name!: string;
  @Field(name({ max: 80 }), optional) display_name?: string;
  @Field(oneOf(...MEMBER_ROLES)) role!: MemberRole;
  @Field(ttl, optional) ttl?: number;
}

export class MemberLinkBody {
  @Field(ttl, optional) ttl?: number;
}

export class MemberRoleBody {
  @Field(oneOf(...MEMBER_ROLES)) role!: MemberRole;
}

export class RemoveMemberBody {
  @Field(boolean(), optional) revoke_keys: boolean = false;
}

export class PanelLinkBody {
  @Field(text(NAME), optional) name: string = 'operator';
  @Field(ttl, optional) ttl?: number;
}

/** What owners and operators do with the members of an account; the caller has checked the account. */
@Injectable()
export class MemberAdministration {
  constructor(
    private readonly commands: CommandBus,
    private readonly aggregates: AggregateStore,
    private readonly accounts: AccountQueries,
    private readonly queries: MemberQueries,
    private readonly links: PanelLinks,
    private readonly keys: KeyAdministration,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  async list(accountId: string): Promise<readonly MemberResource[]> {
    const slug = await this.slugOf(accountId);
    return (await this.queries.listMembers(accountId)).map((member) => memberResource(member, slug));
  }

  async invite(accountId: string, body: InviteMemberBody, request: FastifyRequest): Promise<MemberWithLink> {
    const memberId = this.randomness.uuid();
    const { name, role, display_name: displayName = name, ttl = LINK_TTL.invitation } = body;
    const { stored, shown } = this.links.mint(memberId, ttl, request);
    const details = { name, displayName, role };
    const [at, by] = [this.clock.now(), originOf(request)];
    const command = new InviteWithLink({ accountId, memberId, details, link: stored, at, by });
    orRefuse('operator', await this.commands.execute(command));
    return { ...(await this.show(accountId, memberId)), link: shown };
  }

  /** Replaces the older links of the member. A link made by another person causes a notice for the member. */
  async renewLink(
    accountId: string,
    memberId: string,
    { ttl = LINK_TTL.renewed }: MemberLinkBody,
    request: FastifyRequest,
  ): Promise<MemberWithLink> {
    const { state } = await this.aggregates.load(members, accountId);
    if (!memberOf(state, memberId)) throw new ApiError('MEMBER_NOT_FOUND');
    const { stored, shown } = this.links.mint(memberId, ttl, request);
    const [at, by] = [this.clock.now(), originOf(request)];
    const notice = by.actor.id === memberId ? {} : { notice: { by: by.actor, at } };
    const link = { ...stored, ...notice, user: { kind: 'member', accountId, memberId } } as const;
    await this.commands.execute(new IssuePanelLink({ linkId: memberId, link, at, by }));
    return { ...(await this.show(accountId, memberId)), link: shown };
  }

  async changeRole(accountId: string, memberId: string, { role }: MemberRoleBody, request: FastifyRequest) {
    const [at, by] = [this.clock.now(), originOf(request)];
    const command = new ChangeMemberRole({ accountId, memberId, role, at, by });
    orRefuse('operator', await this.commands.execute(command));
    return this.show(accountId, memberId);
  }

  /** Names the active keys that the member made, or revokes them. */
  async remove(
    accountId: string,
    memberId: string,
    { revoke_keys }: RemoveMemberBody,
    request: FastifyRequest,
  ): Promise<RemovedMember> {
    const [at, by] = [this.clock.now(), originOf(request)];
    orRefuse('operator', await this.commands.execute(new RemoveMember({ accountId, memberId, at, by })));
    const made = await this.keys.madeBy(accountId, memberId);
    const keys = revoke_keys
      ? await Promise.all(made.map(({ key_id }) => this.keys.revoke(key_id, by)))
      : made;
    const shown = keys.map((key) => present(KeyOfMember, key, {}));
    return { ...(await this.show(accountId, memberId)), keys: shown };
  }

  private async show(accountId: string, memberId: string): Promise<MemberResource> {
    const member = orNotFound(await this.queries.getMember(accountId, memberId), 'MEMBER_NOT_FOUND');
    return memberResource(member, await this.slugOf(accountId));
  }

  private async slugOf(accountId: string): Promise<string> {
    const account = orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    return account.slug;
  }
}
