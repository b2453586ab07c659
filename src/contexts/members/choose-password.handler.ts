import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accounts } from '../accounts/index.js';
import { ChoosePassword, type PasswordChosen } from './coordinated.commands.js';
import { SetMemberPassword } from './domain/member.commands.js';
import { memberOf } from './domain/member.state.js';
import { normalPassword, passwordProblem } from './domain/password.rules.js';
import { needsNoOldPassword } from './domain/session.rules.js';
import { members, sessions } from './index.js';
import { PasswordHasher } from './password-hasher.js';
import { AggregateStore } from '../../event-sourcing/index.js';

const refused = (code: 'SessionNotFound' | 'MemberNotFound' | 'CurrentPasswordWrong') =>
  ({ ok: false, rejection: { code } }) as const;

@CommandHandler(ChoosePassword)
export class ChoosePasswordHandler implements ICommandHandler<ChoosePassword> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly hasher: PasswordHasher,
  ) {}

  async execute({ sessionId, current, next, at, by }: ChoosePassword): Promise<PasswordChosen> {
    const { state: session } = await this.aggregates.load(sessions, sessionId);
    if (session.status !== 'open' || session.user.kind !== 'member') return refused('SessionNotFound');
    const { accountId, memberId } = session.user;
    const member = memberOf((await this.aggregates.load(members, accountId)).state, memberId);
    if (!member) return refused('MemberNotFound');
    const requester = { name: memberId, networks: [], attempts: 0, isKnown: true };
    const isFree = current === undefined && needsNoOldPassword(session, at);
    const matches = () =>
      this.hasher.matches(normalPassword(current ?? ''), memberId, member.password, requester);
    if (!isFree && !(await matches())) return refused('CurrentPasswordWrong');

    const password = normalPassword(next);
    const { state: account } = await this.aggregates.load(accounts, accountId);
    const slug = account.status === 'absent' ? [] : [account.slug];
    const problem = passwordProblem(password, [member.name, ...slug]);
    if (problem) return { ok: false, rejection: { code: 'PasswordRefused', problem } };
    const hash = await this.hasher.hash(password, memberId, requester);
    const set = new SetMemberPassword({
      accountId,
      memberId,
      password: hash,
      keptSession: sessionId,
      at,
      by,
    });
    return this.aggregates.execute(members, accountId, set);
  }
}
