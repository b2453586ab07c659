import { Body, Controller, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import {
  ChoosePassword,
  DismissLinkNotices,
  EndMemberSessions,
  EndSession,
  type NewSession,
  panelLinks,
  type SignedIn,
  SignInByLink,
  SignInByPassword,
  type SignInSource,
} from '../../../contexts/members/index.js';
import { AggregateStore } from '../../../event-sourcing/index.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { originOf } from '../../../http/request.js';
import {
  isFromOwnPage,
  PUBLIC_ADDRESS,
  type PublicAddress,
  sessionCookie,
  sessionSecretOf,
  type Site,
  siteOf,
} from '../../../http/session-cookie.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
import { hashCredential, mintCredential, parseCredential } from '../../../kernel/credential.js';
import { Randomness } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { refusalOf } from '../../errors/answers.js';
import { FailedSignIns } from '../../access-notes.js';
import { ActorNames } from '../actor-names.js';
import { panel } from '../panel.surface.js';
import {
  type MemberPrincipal,
  SessionAuthenticator,
  type SessionPrincipal,
} from '../session.authenticator.js';
import { MemberSessions } from './member-sessions.controller.js';
import {
  EndSessionBody,
  LinkSignInBody,
  memberSession,
  operatorSession,
  type PanelSession,
  PasswordBody,
  SessionState,
  SignInBody,
  visitorSession,
} from './session.resource.js';
import { clientOf, KnownBrowsers, networksOf, SignInLimits, viaOf } from './sign-in-limits.js';

const anybody = ['member', 'operator', 'visitor'] as const;
const members = ['member'] as const;
const state = (description: string, headers?: Record<string, string>) =>
  ok(description, SessionState, { headers });
const COOKIE = { 'Set-Cookie': 'The session, for pages of this service only.' };
const signIn = { auth: 'none', errors: ['SIGN_IN_REFUSED', 'RATE_LIMIT_EXCEEDED'] } as const;

const Operation = operationsOf(panel, { tag: 'Session' });

@Controller()
export class SessionsController {
  private readonly site: Site;

  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: SessionAuthenticator,
    private readonly limits: SignInLimits,
    private readonly known: KnownBrowsers,
    private readonly open: MemberSessions,
    private readonly failed: FailedSignIns,
    private readonly names: ActorNames,
    private readonly aggregates: AggregateStore,
    private readonly accounts: AccountQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    @Inject(PRODUCT_VERSION) private readonly product: string,
    @Inject(PUBLIC_ADDRESS) address: PublicAddress,
  ) {
    this.site = siteOf(address.publicUrl);
  }

  @Operation({
    id: 'getSession',
    route: 'GET /v1/panel/session',
    summary: 'Show who is signed in',
    description: '`session` is null when nobody is.',
    auth: 'optional',
    callers: anybody,
    limit: { perMinute: 120 },
    success: state('The session.'),
  })
  async get(@Req() request: FastifyRequest) {
    const caller = request.principal as SessionPrincipal | undefined;
    return this.answer(caller && (await this.show(caller)));
  }

  @Operation({
    ...signIn,
    id: 'signIn',
    route: 'POST /v1/panel/session',
    summary: 'Sign in with a password',
    body: SignInBody,
    requestExample: { sign_in_name: 'bea@demo-bakery', password: 'an umbrella in the rain' },
    success: state('Signed in.', COOKIE),
  })
  async byPassword(@Body() { sign_in_name, password }: SignInBody, @Req() request: FastifyRequest) {
    const source = await this.admit(request);
    const signInName = sign_in_name.toLowerCase();
    return this.signIn(request, 'password', (session) => {
      const [at, by] = [this.clock.now(), viaOf(request)];
      const command = new SignInByPassword({ signInName, password, source, session, at, by });
      return this.limits.guarded(
        { kind: 'name', id: signInName },
        () => this.commands.execute(command),
        (signedIn) => signedIn.ok,
      );
    });
  }

  @Operation({
    ...signIn,
    id: 'signInByLink',
    route: 'POST /v1/panel/session/link',
    summary: 'Sign in with a link',
    description: 'Uses the link up.',
    body: LinkSignInBody,
    requestExample: { token: 'svc_link_live_…' },
    success: state('Signed in.', COOKIE),
  })
  async byLink(@Body() { token }: LinkSignInBody, @Req() request: FastifyRequest) {
    await this.admit(request);
    const link = parseCredential(token);
    const isLink = link?.prefix === 'svc_link_live_';
    const hash = hashCredential(token);
    return this.signIn(request, 'link', async (session) =>
      isLink
        ? this.commands.execute(
            new SignInByLink({ linkId: link.id, hash, session, at: this.clock.now(), by: viaOf(request) }),
          )
        : ({ ok: false, rejection: { code: 'SignInRefused' } } as const),
    );
  }

  @Operation({
    id: 'endSession',
    route: 'POST /v1/panel/session/end',
    summary: 'Sign out',
    description: 'With `everywhere` all sessions of the member end.',
    callers: anybody,
    limit: { perMinute: 20 },
    body: EndSessionBody,
    bodyOptional: true,
    requestExample: { everywhere: false },
    success: state('Signed out.', COOKIE),
  })
  async end(@Body() { everywhere }: EndSessionBody, @Req() request: FastifyRequest) {
    const caller = request.principal as SessionPrincipal | MemberPrincipal;
    const [at, by] = [this.clock.now(), originOf(request)];
    if (everywhere && 'member' in caller) {
      const { accountId, member } = caller;
      const { memberId, generation } = member;
      await this.commands.execute(new EndMemberSessions({ accountId, memberId, generation, at, by }));
    }
    await this.commands.execute(new EndSession({ sessionId: caller.credentialId, at, by }));
    return this.answer(undefined, { 'set-cookie': sessionCookie(request, this.site, undefined) });
  }

  @Operation({
    id: 'choosePassword',
    route: 'POST /v1/panel/password',
    summary: 'Choose a password',
    description:
      'Ends all other sessions of the member. For ten minutes after a sign-in by link, `current` may be absent.',
    callers: members,
    limit: { perMinute: 20 },
    body: PasswordBody,
    requestExample: { current: 'an umbrella in the rain', next: 'three printers and a cat' },
    success: state('The password is set.'),
    errors: ['PASSWORD_REFUSED', 'SIGN_IN_REFUSED'],
  })
  async password(@Body() { current, next }: PasswordBody, @Req() request: FastifyRequest) {
    const caller = request.principal as MemberPrincipal;
    const { credentialId: sessionId } = caller;
    const [at, by] = [this.clock.now(), originOf(request)];
    const command = new ChoosePassword({ sessionId, current, next, at, by });
    const chosen = await this.limits.guarded(
      { kind: 'member', id: caller.member.memberId },
      () => this.commands.execute(command),
      (result) => result.ok || result.rejection.code !== 'CurrentPasswordWrong',
    );
    if (!chosen.ok && chosen.rejection.code === 'MemberNotFound') throw new ApiError('credentialInvalid');
    if (!chosen.ok && chosen.rejection.code === 'CurrentPasswordWrong') {
      const { accountId, member } = caller;
      const target = { accountId, memberId: member.memberId };
      this.failed.note(target, 'password', clientOf(request), viaOf(request));
    }
    if (!chosen.ok) throw refusalOf('panel', chosen.rejection);
    const session = await this.show(caller);
    return this.answer({ ...session, has_password: true });
  }

  @Operation({
    id: 'dismissLinkNotices',
    route: 'POST /v1/panel/session/dismiss-notices',
    summary: 'Dismiss the notices about sign-in links',
    description: 'That of the link which opened the current session stays.',
    callers: members,
    limit: { perMinute: 20 },
    success: state('The session.'),
  })
  async dismiss(@Req() request: FastifyRequest) {
    const caller = request.principal as MemberPrincipal;
    const { credentialId: sessionId, member } = caller;
    const [at, by] = [this.clock.now(), originOf(request)];
    await this.commands.execute(new DismissLinkNotices({ linkId: member.memberId, sessionId, at, by }));
    return this.answer(await this.show(caller));
  }

  /** Another site cannot sign a browser in. Counts the attempt. */
  private async admit(request: FastifyRequest): Promise<SignInSource> {
    if (!isFromOwnPage(request, this.site)) throw new ApiError('SIGN_IN_REFUSED');
    const networks = networksOf(clientOf(request).address);
    const attempts = await this.limits.countAttempt(networks);
    return { networks: Object.values(networks), attempts, knownMemberId: this.known.memberOf(request) };
  }

  private async signIn(
    request: FastifyRequest,
    by: 'link' | 'password',
    open: (
      session: NewSession,
    ) => Promise<SignedIn<'SignInRefused' | 'LinkUnknown' | 'LinkUsed' | 'LinkExpired'>>,
  ) {
    const id = this.randomness.uuid();
    const secret = mintCredential('svc_session_live_', id, this.randomness.bytes(32));
    const client = clientOf(request);
    const opened = await open({ id, hash: hashCredential(secret), client });
    if (!opened.ok) {
      this.failed.note(opened.rejection.target ?? {}, by, client, viaOf(request));
      throw refusalOf('panel', opened.rejection);
    }
    const caller = (await this.sessions.of('member', 'operator')(secret)) as
      SessionPrincipal | MemberPrincipal | undefined;
    if (!caller) throw new ApiError('SIGN_IN_REFUSED');
    await this.open.replace(sessionSecretOf(request, this.site), viaOf(request));
    const cookies = [sessionCookie(request, this.site, secret)];
    if ('member' in caller) {
      await this.open.bound(caller.member.memberId, viaOf(request));
      cookies.push(this.known.cookieFor(request, caller.member.memberId));
    }
    return this.answer(await this.show(caller), { 'set-cookie': cookies });
  }

  private async show(caller: SessionPrincipal | MemberPrincipal): Promise<PanelSession> {
    if (caller.accountId === undefined) return operatorSession(caller);
    const account = await this.accounts.getAccount(caller.accountId);
    if (!account) throw new ApiError('credentialInvalid');
    if (!('member' in caller)) return visitorSession(caller, account);
    const { state: links } = await this.aggregates.load(panelLinks, caller.member.memberId);
    const notices = links.status === 'absent' ? [] : links.notices;
    const named = await this.names.of(
      caller.accountId,
      notices.map(({ by }) => by),
    );
    const shown = notices.map(({ by, at, usedAt }) => ({
      made_by: named(by),
      made_at: at,
      used_at: usedAt ?? null,
    }));
    return memberSession(caller, account, shown, this.clock.now());
  }

  private answer(session: PanelSession | undefined, headers: Record<string, string | string[]> = {}) {
    const versions = { product: this.product, contract: 'v1' };
    return answer({ session: session ?? null, versions }, { headers });
  }
}
