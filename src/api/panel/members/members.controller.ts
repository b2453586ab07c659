import { Body, Controller, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { answer } from '../../../http/answer.js';
import { Operation, type OperationSpec } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { MemberAdministration } from '../../member-administration.js';
import { InviteMemberBody, MemberLinkBody, MemberRoleBody, RemoveMemberBody } from '../../member.requests.js';
import {
  MemberList,
  MemberResource,
  MemberWithLink,
  RemovedMember,
} from '../../resources/member.resource.js';
import { CLOSED_TO_WRITES, operationOf } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

const own = {
  tag: 'Members',
  scopes: ['panel:members'],
  params: { member_id: 'MEMBER_NOT_FOUND' },
  limit: { perMinute: 30 },
} as const;
const ok = (type: NonNullable<OperationSpec['body']>, description: string) =>
  ({ status: 200, type, description, codes: ['OK'] }) as const;

const listMembers = operationOf({
  id: 'listMembers',
  route: 'GET /v1/panel/members',
  summary: 'List the members',
  tag: 'Members',
  scopes: ['account:read'],
  limit: { perMinute: 60 },
  success: {
    status: 200,
    description: 'The members, in the order of their invitations.',
    codes: ['OK'],
    type: MemberList,
  },
});

const inviteMember = operationOf({
  ...own,
  id: 'inviteMember',
  route: 'POST /v1/panel/members',
  summary: 'Invite a member',
  params: {},
  body: InviteMemberBody,
  requestExample: { name: 'bea', display_name: 'Bea', role: 'developer' },
  success: { ...ok(MemberWithLink, 'The member, and the link for the first sign-in.'), status: 201 },
  errors: ['NAME_TAKEN', 'MEMBER_LIMIT_REACHED', 'ACCOUNT_CLOSED', ...CLOSED_TO_WRITES],
});

const renewLink = operationOf({
  ...own,
  id: 'renewMemberLink',
  route: 'POST /v1/panel/members/:member_id/link',
  summary: 'Issue a new sign-in link',
  description: 'Replaces the older links of the member.',
  body: MemberLinkBody,
  bodyOptional: true,
  requestExample: { ttl: 1800 },
  success: ok(MemberWithLink, 'The member, and the link.'),
  errors: CLOSED_TO_WRITES,
});

const changeRole = operationOf({
  ...own,
  id: 'changeMemberRole',
  route: 'POST /v1/panel/members/:member_id/role',
  summary: 'Change the role of a member',
  body: MemberRoleBody,
  requestExample: { role: 'viewer' },
  success: ok(MemberResource, 'The member.'),
  errors: ['LAST_OWNER', ...CLOSED_TO_WRITES],
});

const removeMember = operationOf({
  ...own,
  id: 'removeMember',
  route: 'POST /v1/panel/members/:member_id/remove',
  summary: 'Remove a member',
  description:
    'Ends all sessions of the member. `revoke_keys` also revokes the API keys that the member made.',
  body: RemoveMemberBody,
  bodyOptional: true,
  requestExample: { revoke_keys: true },
  success: ok(RemovedMember, 'The removed member, and the keys that the member made.'),
  errors: ['LAST_OWNER', ...CLOSED_TO_WRITES],
});

@Controller()
export class PanelMembersController {
  constructor(private readonly members: MemberAdministration) {}

  @Operation(listMembers)
  async list(@Caller() { accountId }: MemberPrincipal) {
    return answer('OK', { items: await this.members.list(accountId) });
  }

  @Operation(inviteMember)
  async invite(
    @Body() body: InviteMemberBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return answer('OK', await this.members.invite(accountId, body, request));
  }

  @Operation(renewLink)
  async link(
    @Param('member_id') memberId: string,
    @Body() body: MemberLinkBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return answer('OK', await this.members.renewLink(accountId, memberId, body, request));
  }

  @Operation(changeRole)
  async role(
    @Param('member_id') memberId: string,
    @Body() body: MemberRoleBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return answer('OK', await this.members.changeRole(accountId, memberId, body, request));
  }

  @Operation(removeMember)
  async remove(
    @Param('member_id') memberId: string,
    @Body() body: RemoveMemberBody,
    @Caller() { accountId }: MemberPrincipal,
    @Req() request: FastifyRequest,
  ) {
    return answer('OK', await this.members.remove(accountId, memberId, body, request));
  }
}
