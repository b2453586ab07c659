import { Controller, Param } from '@nestjs/common';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { MemberSessions } from './member-sessions.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { openSession } from './session.resource.js';
import { endOneSession, listSessions } from './sessions.operations.js';

@Controller()
export class MemberSessionsController {
  constructor(private readonly sessions: MemberSessions) {}

  @Operation(listSessions)
  async list(@Caller() { member, credentialId }: MemberPrincipal) {
    const open = await this.sessions.list(member.memberId);
    return answer('OK', { items: open.map((each) => openSession(each, credentialId)) });
  }

  @Operation(endOneSession)
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
