import { Body, Controller, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { created, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import {
  InviteMemberBody,
  MemberAdministration,
  MemberLinkBody,
  MemberRoleBody,
  RemoveMemberBody,
} from '../../member-administration.js';
import {
  MemberList,
  MemberResource,
  MemberWithLink,
  RemovedMember,
} from '../../resources/member.resource.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

const Operation = operationsOf(panel, {
  tag: 'Members',
  scopes: ['panel:members'],
  limit: { perMinute: 30 },
});

@Controller()
export class PanelMembersController {
  constructor(private readonly members: MemberAdministration) {}

  @Operation({
    id: 'listMembers',
    route: 'GET /v1/panel/members',
    summary: 'List the members',
    scopes: ['account:read'],
    limit: { perMinute: 60 },
    success: ok('The members, in the order of their invitations.', MemberList),
  })
  async list(@Caller() { accountId }: MemberPrincipal) {
    return { items: await this.members.list(accountId) };
  }

  @Operation({
    id: 'inviteMember',
    route: 'POST /v1/panel/members',
    summary: 'Invite a member',
    body: InviteMemberBody,
    requestExample: { name: 'bea', display_name: 'Bea', role: 'developer' },
    success: created('The member, and the link for the first sign-in.', MemberWithLink),
    errors: ['NAME_TAKEN', 'MEMBER_LIMIT_REACHED', 'ACCOUNT_CLOSED'],
  })
  async invite(
    @Body() body: InviteMemberBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return await this.members.invite(accountId, body, request);
  }

  @Operation({
    id: 'renewMemberLink',
    route: 'POST /v1/panel/members/:member_id/link',
    summary: 'Issue a new sign-in link',
    description: 'Replaces the older links of the member.',
    body: MemberLinkBody,
    bodyOptional: true,
    requestExample: { ttl: 1800 },
    success: ok('The member, and the link.', MemberWithLink),
  })
  async link(
    @Param('member_id') memberId: string,
    @Body() body: MemberLinkBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return await this.members.renewLink(accountId, memberId, body, request);
  }

  @Operation({
    id: 'changeMemberRole',
    route: 'POST /v1/panel/members/:member_id/role',
    summary: 'Change the role of a member',
    body: MemberRoleBody,
    success: ok('The member.', MemberResource),
    errors: ['LAST_OWNER'],
  })
  async role(
    @Param('member_id') memberId: string,
    @Body() body: MemberRoleBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return await this.members.changeRole(accountId, memberId, body, request);
  }

  @Operation({
    id: 'removeMember',
    route: 'POST /v1/panel/members/:member_id/remove',
    summary: 'Remove a member',
    description:
      'Ends all sessions of the member. `revoke_keys` also revokes the API keys that the member made.',
    body: RemoveMemberBody,
    bodyOptional: true,
    success: ok('The removed member, and the keys that the member made.', RemovedMember),
    errors: ['LAST_OWNER'],
  })
  async remove(
    @Param('member_id') memberId: string,
    @Body() body: RemoveMemberBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return await this.members.remove(accountId, memberId, body, request);
  }
}
