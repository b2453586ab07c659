import { Body, Controller, Injectable, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { AuditQueries } from '../../../../projections/audit/audit.queries.js';
import {
  ChooseMemberTheme,
  EndSession,
  LeaveAccount,
  type Theme,
  THEMES,
  type Unsigned,
  VISIT,
  VisitAccount,
} from '../../../contexts/members/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, originOf } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { dateTime, oneOf, uuid } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock, type Instant, plus } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { panel } from '../panel.surface.js';
import {
  type CachedSession,
  type MemberCaller,
  type MemberPrincipal,
  SessionAuthenticator,
  type SessionPrincipal,
} from '../session.authenticator.js';
import { openSession, OpenSessions } from './session.resource.js';
import { clientOf } from './sign-in-limits.js';

const list = ok('The open sessions.', OpenSessions);

const MAX_OPEN = 20;
/** Sessions older than so many sign-ins of the member are ended, so that a list is complete. */
const MAX_SIGN_INS = 80;

/** The open sessions of a member, found among the newest sign-ins of the audit. */
@Injectable()
export class MemberSessions {
  constructor(
    private readonly audit: AuditQueries,
    private readonly sessions: SessionAuthenticator,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** The last used first. */
  async list(memberId: string): Promise<readonly CachedSession[]> {
    const ids = await this.audit.listSignIns(memberId, MAX_SIGN_INS);
    const open = await Promise.all(ids.map((id) => this.sessions.open(id)));
    return open
      .filter((session) => session !== undefined)
      .sort((a, b) => (a.lastRequestAt < b.lastRequestAt ? 1 : a.lastRequestAt > b.lastRequestAt ? -1 : 0));
  }

  /** Ends the sessions unused for longest, above the number that a member may have. */
  async bound(memberId: string, via: Unsigned): Promise<void> {
    const actor = { kind: 'member', id: memberId } as const;
    const excess = (await this.list(memberId)).slice(MAX_OPEN).map(({ session }) => session.sessionId);
    const older = await this.audit.listSignIns(memberId, MAX_OPEN, MAX_SIGN_INS);
    for (const id of [...excess, ...older]) await this.end(id, { ...via, actor });
  }

  /** Ends the session that a browser had before it signed in again. */
  async replace(secret: string | undefined, via: Unsigned): Promise<void> {
    const replaced = secret && (await this.sessions.of('member', 'operator', 'visitor')(secret));
    if (!replaced) return;
    const { kind, actorId, credentialId } = replaced;
    await this.end(credentialId, { ...via, actor: { kind, id: actorId ?? credentialId } });
  }

  end(sessionId: string, by: Origin) {
    return this.commands.execute(new EndSession({ sessionId, at: this.clock.now(), by }));
  }
}

/** Colours of the pages for one member, in every browser. */
export class ChosenTheme {
  @Field(oneOf(...THEMES)) theme!: Theme;

  static readonly example: ChosenTheme = { theme: 'dark' };
}

/** An operator sees the account as its viewers do. */
export class AccountVisit {
  @Field(uuid()) account_id!: string;
  @Field(dateTime(), { description: 'At the latest; at once after `leaveAccount`' }) ends_at!: Instant;

  static readonly example: AccountVisit = {
    account_id: '01990000-0000-7000-8000-000000000002',
    ends_at: '2026-11-23T12:30:00.000Z',
  };
}

const Operation = operationsOf(panel, { tag: 'Session', callers: ['member'] });

@Controller()
export class MemberSessionsController {
  constructor(
    private readonly sessions: MemberSessions,
    private readonly accounts: AccountQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

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
  async end(@Param('session_id') sessionId: string, @Caller() caller: MemberCaller) {
    const open = await this.sessions.list(caller.member.memberId);
    if (!open.some(({ session }) => session.sessionId === sessionId)) throw new ApiError('SESSION_NOT_FOUND');
    await this.sessions.end(sessionId, caller.by);
    return this.list(caller);
  }

  /** The browser stores nothing but the cookie, so the choice is the member's. */
  @Operation({
    id: 'chooseTheme',
    route: 'PUT /v1/panel/session/theme',
    summary: 'Choose the colours of the pages',
    limit: { perMinute: 20 },
    body: ChosenTheme,
    success: ok('The choice.', ChosenTheme),
  })
  async choose(
    @Body() { theme }: ChosenTheme,
    @Caller() { accountId, actorId, by }: MemberCaller,
  ): Promise<ChosenTheme> {
    const command = { accountId, memberId: actorId!, theme, at: this.clock.now(), by };
    orRefuse('panel', await this.commands.execute(new ChooseMemberTheme(command)));
    return { theme };
  }

  @Operation({
    id: 'visitAccount',
    route: 'POST /v1/panel/accounts/:account_id/visit',
    summary: 'See an account as its viewers do',
    description:
      'For half an hour the session of the operator reads this account and changes nothing anywhere. The audit of the ' +
      'account shows who visits, and from where.',
    callers: ['operator'],
    limit: { perMinute: 20 },
    success: ok('The visit.', AccountVisit),
    errors: ['ACCOUNT_CLOSED'],
  })
  async visit(@Param('account_id') accountId: string, @Req() request: FastifyRequest): Promise<AccountVisit> {
    const account = orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    if (account.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    const [at, by] = [this.clock.now(), originOf(request)];
    const [endsAt, client] = [plus(at, VISIT), clientOf(request)];
    const sessionId = request.principal!.credentialId;
    const command = new VisitAccount({ sessionId, accountId, endsAt, client, at, by });
    orRefuse('panel', await this.commands.execute(command));
    return { account_id: accountId, ends_at: endsAt };
  }

  @Operation({
    id: 'leaveAccount',
    route: 'POST /v1/panel/session/leave-account',
    summary: 'End the visit to an account',
    callers: ['visitor'],
    limit: { perMinute: 20 },
    success: ok('The visit that has ended.', AccountVisit),
  })
  async leave(@Req() request: FastifyRequest): Promise<AccountVisit> {
    const { credentialId: sessionId, accountId } = request.principal as SessionPrincipal;
    const [at, by] = [this.clock.now(), originOf(request)];
    orRefuse('panel', await this.commands.execute(new LeaveAccount({ sessionId, at, by })));
    return { account_id: accountId!, ends_at: at };
  }
}
