import { Controller, Param } from '@nestjs/common';
import { ApiError } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { MemberSessions } from './member-sessions.js';
import { openSession, OpenSessions } from './session.resource.js';

const list = ok('The open sessions.', OpenSessions);

const Operation = operationsOf(panel, { tag: 'Session' });

@Controller()
export class MemberSessionsController {
  constructor(private readonly sessions: MemberSessions) {}

  @Operation({
    id: 'listSessions',
    route: 'GET /v1/panel/sessions',
    summary: 'List your open sessions',
    description: 'A member has at most 20: one more ends that which was unused for longest.',
    limit: { perMinute: 60 },
    success: list,
  })
  async list(@Caller() { member, credentialId }: MemberPrincipal) {
    const open = await this.sessions.list(member.memberId);
    return { items: open.map((each) => openSession(each, credentialId)) };
  }

  @Operation({
    id: 'endOneSession',
    route: 'POST /v1/panel/sessions/:session_id/end',
    summary: 'End one of your sessions',
    limit: { perMinute: 30 },
    success: list,
  })
  async end(
    @Param('session_id') sessionId: string,
    @Caller() caller: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const open = await this.sessions.list(caller.member.memberId);
    if (!open.some(({ session }) => session.sessionId === sessionId)) throw new ApiError('SESSION_NOT_FOUND');
    await this.sessions.end(sessionId, by);
    return this.list(caller);
  }
}
