import { Controller, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { LeaveAccount, VISIT, VisitAccount } from '../../../contexts/members/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { originOf } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { dateTime, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant, plus } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { panel } from '../panel.surface.js';
import type { SessionPrincipal } from '../session.authenticator.js';
import { clientOf } from './sign-in-limits.js';

/** An operator sees the account as its viewers do. */
export class AccountVisit {
  @Field(uuid()) account_id!: string;
  @Field(dateTime(), { description: 'At the latest; at once after `leaveAccount`' }) ends_at!: Instant;

  static readonly example: AccountVisit = {
    account_id: '01990000-0000-7000-8000-000000000002',
    ends_at: '2026-11-23T12:30:00.000Z',
  };
}

const Operation = operationsOf(panel, { tag: 'Session', limit: { perMinute: 20 } });

@Controller()
export class VisitsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'visitAccount',
    route: 'POST /v1/panel/accounts/:account_id/visit',
    summary: 'See an account as its viewers do',
    description:
      'For half an hour the session of the operator reads this account and changes nothing anywhere. The audit of the ' +
      'account shows who visits, and from where.',
    callers: ['operator'],
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
    success: ok('The visit that has ended.', AccountVisit),
  })
  async leave(@Req() request: FastifyRequest): Promise<AccountVisit> {
    const { credentialId: sessionId, accountId } = request.principal as SessionPrincipal;
    const [at, by] = [this.clock.now(), originOf(request)];
    orRefuse('panel', await this.commands.execute(new LeaveAccount({ sessionId, at, by })));
    return { account_id: accountId!, ends_at: at };
  }
}
