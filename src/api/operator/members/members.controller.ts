import { Body, Controller, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { MemberQueries } from '../../../../projections/members/members.queries.js';
import { IssuePanelLink } from '../../../contexts/members/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { originOf } from '../../../http/request.js';
import { Randomness } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import {
  InviteMemberBody,
  LINK_TTL,
  MemberAdministration,
  MemberLinkBody,
  MemberRoleBody,
  PanelLinkBody,
  PanelLinks,
  RemoveMemberBody,
} from '../../member-administration.js';
import { MemberWithLink } from '../../resources/member.resource.js';
import { OperatorOperation } from '../operator.surface.js';

@Controller()
export class OperatorMembersController {
  constructor(
    private readonly members: MemberAdministration,
    private readonly queries: MemberQueries,
    private readonly links: PanelLinks,
    private readonly commands: CommandBus,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'createPanelLink',
    route: 'POST /v1/operator/panel-links',
    summary: 'Create a link that signs an operator in to the panel once',
    body: PanelLinkBody,
    bodyOptional: true,
    creates: true,
  })
  async panelLink(@Body() { name, ttl }: PanelLinkBody, @Req() request: FastifyRequest) {
    const linkId = this.randomness.uuid();
    const { stored, shown } = this.links.mint(linkId, ttl ?? LINK_TTL.operator, request);
    const link = { ...stored, user: { kind: 'operator', name } } as const;
    const command = new IssuePanelLink({ linkId, link, at: this.clock.now(), by: originOf(request) });
    await this.commands.execute(command);
    return { link_id: linkId, name, ...shown };
  }

  @OperatorOperation({
    id: 'inviteMemberOf',
    tag: 'Members',
    type: MemberWithLink,
    route: 'POST /v1/operator/accounts/:id/members',
    summary: 'Invite a member to the panel',
    body: InviteMemberBody,
    creates: true,
    errors: ['ACCOUNT_CLOSED', 'NAME_TAKEN', 'MEMBER_LIMIT_REACHED'],
  })
  async invite(
    @Param('id') accountId: string,
    @Body() body: InviteMemberBody,
    @Req() request: FastifyRequest,
  ) {
    return await this.members.invite(accountId, body, request);
  }

  @OperatorOperation({
    id: 'listMembers',
    route: 'GET /v1/operator/accounts/:id/members',
    summary: 'Members of an account, in the order of their invitations',
  })
  async list(@Param('id') accountId: string) {
    return { items: await this.members.list(accountId) };
  }

  @OperatorOperation({
    id: 'renewMemberLink',
    route: 'POST /v1/operator/members/:id/link',
    summary: 'Issue a new sign-in link, which replaces the older ones',
    body: MemberLinkBody,
    bodyOptional: true,
  })
  async link(@Param('id') memberId: string, @Body() body: MemberLinkBody, @Req() request: FastifyRequest) {
    return await this.members.renewLink(await this.accountOf(memberId), memberId, body, request);
  }

  @OperatorOperation({
    id: 'changeMemberRole',
    route: 'POST /v1/operator/members/:id/role',
    summary: 'Change the role of a member',
    body: MemberRoleBody,
  })
  async role(@Param('id') memberId: string, @Body() body: MemberRoleBody, @Req() request: FastifyRequest) {
    return await this.members.changeRole(await this.accountOf(memberId), memberId, body, request);
  }

  @OperatorOperation({
    id: 'removeMember',
    route: 'POST /v1/operator/members/:id/remove',
    summary: 'Remove a member and end all sessions',
    body: RemoveMemberBody,
    bodyOptional: true,
  })
  async remove(
    @Param('id') memberId: string,
    @Body() body: RemoveMemberBody,
    @Req() request: FastifyRequest,
  ) {
    return await this.members.remove(await this.accountOf(memberId), memberId, body, request);
  }

  private async accountOf(memberId: string): Promise<string> {
    const found = orNotFound(await this.queries.findMember(memberId), 'MEMBER_NOT_FOUND');
    return found.account_id;
  }
}
