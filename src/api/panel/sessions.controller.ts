import { Body, Controller, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import {
  ChoosePassword,
  EndMemberSessions,
  EndSession,
  SignInByLink,
  SignInByPassword,
  type SignedIn,
} from '../../contexts/members/index.js';
import { answer } from '../../http/answer.js';
import { ApiError, refusalOf } from '../../http/errors/api-error.js';
import { Operation } from '../../http/operation.js';
import { originOf } from '../../http/request.js';
import { isFromOwnPage, sessionCookie, siteOf, type Site } from '../../http/session-cookie.js';
import { PRODUCT_VERSION } from '../../http/surface.js';
import { hashCredential, mintCredential, parseCredential } from '../../kernel/credential.js';
import { Clock } from '../../ports/clock.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { PUBLIC_ADDRESS, type PublicAddress } from '../public-address.js';
import { passwordRejections, signInRejections } from './panel.errors.js';
import { EndSessionBody, LinkSignInBody, PasswordBody, SignInBody } from './panel.requests.js';
import {
  SessionAuthenticator,
  type MemberPrincipal,
  type SessionPrincipal,
} from './session.authenticator.js';
import { memberSession, operatorSession, type PanelSession } from './session.resource.js';
import {
  choosePassword,
  endSession,
  getSession,
  signInByLink,
  signInByPassword,
} from './sessions.operations.js';
import { SignInLimits } from './sign-in-limits.js';

@Controller()
export class SessionsController {
  private readonly site: Site;

  constructor(
    private readonly commands: CommandBus,
    private readonly sessions: SessionAuthenticator,
    private readonly limits: SignInLimits,
    private readonly accounts: AccountQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
    @Inject(PRODUCT_VERSION) private readonly product: string,
    @Inject(PUBLIC_ADDRESS) address: PublicAddress,
  ) {
    this.site = siteOf(address.publicUrl);
  }

  @Operation(getSession)
  async get(@Req() request: FastifyRequest) {
    const caller = request.principal as SessionPrincipal | undefined;
    return this.answer(caller && (await this.show(caller)));
  }

  @Operation(signInByPassword)
  async byPassword(@Body() { sign_in_name, password }: SignInBody, @Req() request: FastifyRequest) {
    await this.mustBeOwnPage(request);
    await this.limits.countAttempt(request.ip);
    const name = sign_in_name.toLowerCase();
    return this.signIn(request, (session) => {
      const command = new SignInByPassword(name, password, session, this.clock.now(), viaOf(request));
      return this.limits.guarded(
        name,
        () => this.commands.execute(command),
        ({ ok }) => ok,
      );
    });
  }

  @Operation(signInByLink)
  async byLink(@Body() { token }: LinkSignInBody, @Req() request: FastifyRequest) {
    await this.mustBeOwnPage(request);
    await this.limits.countAttempt(request.ip);
    const link = parseCredential(token);
    if (link?.prefix !== 'svc_link_live_') throw new ApiError('SIGN_IN_REFUSED');
    const hash = hashCredential(token);
    return this.signIn(request, (session) =>
      this.commands.execute(new SignInByLink(link.id, hash, session, this.clock.now(), viaOf(request))),
    );
  }

  @Operation(endSession)
  async end(@Body() { everywhere }: EndSessionBody, @Req() request: FastifyRequest) {
    const caller = request.principal as SessionPrincipal | MemberPrincipal;
    const [at, by] = [this.clock.now(), originOf(request)];
    if (everywhere && 'member' in caller) {
      const { accountId, member } = caller;
      await this.commands.execute(
        new EndMemberSessions(accountId, member.memberId, member.generation, at, by),
      );
    }
    await this.commands.execute(new EndSession(caller.credentialId, at, by));
    return this.answer(undefined, { 'set-cookie': sessionCookie(request, this.site, undefined) });
  }

  @Operation(choosePassword)
  async password(@Body() { current, next }: PasswordBody, @Req() request: FastifyRequest) {
    const caller = request.principal as MemberPrincipal;
    const { credentialId } = caller;
    const command = new ChoosePassword(credentialId, current, next, this.clock.now(), originOf(request));
    const chosen = await this.limits.guarded(
      `member:${caller.member.memberId}`,
      () => this.commands.execute(command),
      (result) => result.ok || result.rejection.code !== 'CurrentPasswordWrong',
    );
    if (!chosen.ok) throw refusalOf(passwordRejections, chosen.rejection);
    const session = await this.show(caller);
    return this.answer({ ...session, has_password: true });
  }

  /** Another site cannot sign a browser in. */
  private async mustBeOwnPage(request: FastifyRequest): Promise<void> {
    if (!isFromOwnPage(request, this.site)) throw new ApiError('SIGN_IN_REFUSED');
  }

  private async signIn(
    request: FastifyRequest,
    open: (session: {
      id: string;
      hash: string;
    }) => Promise<SignedIn<'SignInRefused' | 'LinkUnknown' | 'LinkUsed' | 'LinkExpired'>>,
  ) {
    const id = this.randomness.uuid();
    const secret = mintCredential('svc_session_live_', id, this.randomness.bytes(32));
    const opened = await open({ id, hash: hashCredential(secret) });
    if (!opened.ok) throw refusalOf(signInRejections, opened.rejection);
    const caller = await this.sessions.of('member', 'operator')(secret);
    if (!caller) throw new ApiError('SIGN_IN_REFUSED');
    const headers = { 'set-cookie': sessionCookie(request, this.site, secret) };
    return this.answer(await this.show(caller as SessionPrincipal), headers);
  }

  private async show(caller: SessionPrincipal | MemberPrincipal): Promise<PanelSession> {
    if (!('member' in caller)) return operatorSession(caller);
    const account = await this.accounts.getAccount(caller.accountId);
    if (!account) throw new ApiError('credentialInvalid');
    return memberSession(caller, account, this.clock.now());
  }

  private answer(session: PanelSession | undefined, headers: Record<string, string> = {}) {
    const versions = { product: this.product, contract: 'v1' };
    return answer('OK', { session: session ?? null, versions }, { headers });
  }
}

const viaOf = (request: FastifyRequest) => ({
  correlationId: request.correlationId!,
  requestId: request.id,
});
