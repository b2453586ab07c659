import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isLostRace, retry } from '../../async/retry.js';
import type { CommandResult } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { accounts } from '../accounts/index.js';
import { claimId, claims } from '../claims/index.js';
import {
  SignInByLink,
  SignInByPassword,
  type NewSession,
  type SignInTarget,
  InviteWithLink,
  type Invited,
  ChoosePassword,
  type PasswordChosen,
} from './coordinated.commands.js';
import { memberNamed, memberOf, type Member } from './domain/member.state.js';
import { normalPassword, passwordProblem } from './domain/password.rules.js';
import { UsePanelLink, IssuePanelLink } from './domain/panel-link.decider.js';
import type { PanelUser, SessionEventData, SessionUser } from './domain/session.events.js';
import { OpenSession, type OpenedSession } from './domain/session.decider.js';
import { members, panelLinks, sessions } from './index.js';
import { PasswordHasher } from './password-hasher.js';
import { AggregateStore, type Planned } from '../../event-sourcing/index.js';
import { InviteMember, SetMemberPassword } from './domain/member.commands.js';
import { needsNoOldPassword } from './domain/session.rules.js';

const ATTEMPTS = 5;

const refused = (target: SignInTarget | undefined) =>
  ({ ok: false, rejection: { code: 'SignInRefused', target } }) as const;

@CommandHandler(SignInByLink)
export class SignInByLinkHandler implements ICommandHandler<SignInByLink> {
  constructor(private readonly aggregates: AggregateStore) {}

  execute(command: SignInByLink): Promise<CommandResult<SignInByLink>> {
    return retry(() => this.signIn(command), { when: isLostRace, attempts: ATTEMPTS });
  }

  private async signIn({ linkId, hash, session, at, by: via }: SignInByLink) {
    const { state: link } = await this.aggregates.load(panelLinks, linkId);
    if (link.status === 'absent') return { ok: false, rejection: { code: 'LinkUnknown' } } as const;
    const by: Origin = { ...via, actor: actorOf(link.user) };
    const use = new UsePanelLink({ linkId, hash, sessionId: session.id, at, by });
    const used = await this.aggregates.plan(panelLinks, linkId, use);
    const target = link.user.kind === 'member' ? link.user : undefined;
    if (!used.ok) return { ok: false, rejection: { ...used.rejection, target } } as const;
    const user = await this.userOf(link.user);
    if (!user) return refused(target);
    const signIn = { user, signedInBy: 'link', ...(link.notice && { linkBy: link.notice.by }) } as const;
    const opened = await planSession(this.aggregates, session, signIn, at, by);
    await this.aggregates.appendInOrder([used.planned, opened]);
    return { ok: true, session: opened.state } as const;
  }

  private async userOf(user: PanelUser): Promise<SessionUser | undefined> {
    if (user.kind === 'operator') return user;
    const found = await openAccountMembers(this.aggregates, user.accountId);
    const member = found && memberOf(found, user.memberId);
    return member && { ...user, generation: member.generation };
  }
}

/** Reads no view: the claim on the slug gives the account. */
@CommandHandler(SignInByPassword)
export class SignInByPasswordHandler implements ICommandHandler<SignInByPassword> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly hasher: PasswordHasher,
  ) {}

  async execute({ signInName, password, source, session, at, by: via }: SignInByPassword) {
    const { accountId, member } = (await this.find(signInName)) ?? {};
    const { memberId, password: hash } = member ?? {};
    const { knownMemberId, ...from } = source;
    const isKnown = memberId !== undefined && memberId === knownMemberId;
    const requester = { name: signInName, ...from, isKnown };
    const isRight = await this.hasher.matches(normalPassword(password), memberId ?? '', hash, requester);
    if (!accountId || !member || !memberId || !isRight)
      return refused(accountId === undefined ? undefined : { accountId, ...(memberId && { memberId }) });
    const user = { kind: 'member', accountId, memberId, generation: member.generation } as const;
    const by: Origin = { ...via, actor: actorOf(user) };
    const opened = await planSession(this.aggregates, session, { user, signedInBy: 'password' }, at, by);
    await this.aggregates.appendInOrder([opened]);
    return { ok: true, session: opened.state } as const;
  }

  private async find(
    signInName: string,
  ): Promise<{ readonly accountId: string; readonly member: Member | undefined } | undefined> {
    const [name = '', slug = '', ...more] = signInName.split('@');
    if (more.length > 0) return undefined;
    const { state: claim } = await this.aggregates.load(claims, claimId('slug', 'account', slug));
    if (claim.status !== 'claimed') return undefined;
    const accountId = claim.subject;
    const all = await openAccountMembers(this.aggregates, accountId);
    return all && { accountId, member: memberNamed(all, name) };
  }
}

@CommandHandler(InviteWithLink)
export class InviteWithLinkHandler implements ICommandHandler<InviteWithLink> {
  constructor(private readonly aggregates: AggregateStore) {}

  execute(command: InviteWithLink): Promise<Invited> {
    return retry(() => this.invite(command), { when: isLostRace, attempts: ATTEMPTS });
  }

  private async invite({ accountId, memberId, details, link, at, by }: InviteWithLink): Promise<Invited> {
    const { state: account } = await this.aggregates.load(accounts, accountId);
    if (account.status === 'absent') return { ok: false, rejection: { code: 'AccountNotFound' } };
    if (account.status === 'closed') return { ok: false, rejection: { code: 'AccountClosed' } };
    const invite = new InviteMember({ accountId, memberId, details, at, by });
    const invited = await this.aggregates.plan(members, accountId, invite);
    if (!invited.ok) return invited;
    const user = { kind: 'member', accountId, memberId } as const;
    const issue = new IssuePanelLink({ linkId: memberId, link: { ...link, user }, at, by });
    const issued = await this.aggregates.plan(panelLinks, memberId, issue);
    if (!issued.ok) throw new Error('a new link was refused');
    await this.aggregates.appendInOrder([invited.planned, issued.planned]);
    return { ok: true };
  }
}

@CommandHandler(ChoosePassword)
export class ChoosePasswordHandler implements ICommandHandler<ChoosePassword> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly hasher: PasswordHasher,
  ) {}

  async execute({ sessionId, current, next, at, by }: ChoosePassword): Promise<PasswordChosen> {
    const { state: session } = await this.aggregates.load(sessions, sessionId);
    if (session.status !== 'open' || session.user.kind !== 'member')
      return { ok: false, rejection: { code: 'SessionNotFound' } };
    const { accountId, memberId } = session.user;
    const member = memberOf((await this.aggregates.load(members, accountId)).state, memberId);
    if (!member) return { ok: false, rejection: { code: 'MemberNotFound' } };
    const requester = { name: memberId, networks: [], attempts: 0, isKnown: true };
    const isFree = current === undefined && needsNoOldPassword(session, at);
    const matches = () =>
      this.hasher.matches(normalPassword(current ?? ''), memberId, member.password, requester);
    if (!isFree && !(await matches())) return { ok: false, rejection: { code: 'CurrentPasswordWrong' } };

    const password = normalPassword(next);
    const { state: account } = await this.aggregates.load(accounts, accountId);
    const slug = account.status === 'absent' ? [] : [account.slug];
    const problem = passwordProblem(password, [member.name, ...slug]);
    if (problem) return { ok: false, rejection: { code: 'PasswordRefused', problem } };
    const hash = await this.hasher.hash(password, memberId, requester);
    const set = { accountId, memberId, password: hash, keptSession: sessionId };
    return this.aggregates.execute(members, accountId, new SetMemberPassword({ ...set, at, by }));
  }
}

async function openAccountMembers(aggregates: AggregateStore, accountId: string) {
  const { state: account } = await aggregates.load(accounts, accountId);
  if (account.status === 'absent' || account.status === 'closed') return undefined;
  return (await aggregates.load(members, accountId)).state;
}

async function planSession(
  aggregates: AggregateStore,
  { id, hash, client }: NewSession,
  signIn: Pick<SessionEventData['SessionOpened'], 'user' | 'signedInBy' | 'linkBy'>,
  at: Instant,
  by: Origin,
): Promise<Planned<OpenedSession>> {
  const open = new OpenSession({ sessionId: id, session: { hash, ...client, ...signIn }, at, by });
  const opened = await aggregates.plan(sessions, id, open, { assumeNew: true });
  if (!opened.ok || opened.planned.state.status === 'absent') throw new Error('a new session was refused');
  return { ...opened.planned, state: opened.planned.state };
}

const actorOf = (user: PanelUser): Origin['actor'] =>
  user.kind === 'member' ? { kind: 'member', id: user.memberId } : { kind: 'operator', id: user.name };
