import { Injectable } from '@nestjs/common';
import { type AccountEvent, accounts, INTEGRATION_SCOPES } from '../../contexts/accounts/index.js';
import {
  countsSession,
  endOf,
  isVisiting,
  type Member,
  type MemberEvent,
  memberOf,
  type MemberRole,
  members,
  type OpenedSession,
  type SessionEvent,
  sessions,
  type Visit,
} from '../../contexts/members/index.js';
import { AggregateStore, EventStore, LivenessStore } from '../../event-sourcing/index.js';
import {
  CachedAuthenticator,
  type Principal,
  type SessionAuthentication,
} from '../../http/authentication.js';
import type { CallerKind } from '../../http/surface.js';
import type { Calling } from '../../http/request.js';
import { isCredential } from '../../kernel/credential.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { Clock, type Instant, type Milliseconds, plus } from '../../kernel/time.js';

/** A person who is signed in; `credentialId` is the session, `actorId` the person. */
export interface SessionPrincipal extends Principal {
  readonly session: OpenedSession;
  readonly isStillValid: () => Promise<boolean>;
}

/** A signed-in member of an account. */
export interface MemberPrincipal extends SessionPrincipal {
  readonly kind: 'member';
  readonly accountId: string;
  readonly member: Member;
}
export type MemberCaller = Calling<MemberPrincipal>;

export interface CachedSession {
  readonly session: OpenedSession;
  readonly member: Member | undefined;
  /** Of an operator in an account that is not closed; its time may be over. */
  readonly visit: Visit | undefined;
  lastRequestAt: Instant;
}

/** A session may have ended or have other rights. */
const OUTDATED_BY: readonly string[] = [
  'MemberPasswordSet',
  'MemberRoleChanged',
  'MemberSessionsEnded',
  'MemberThemeChosen',
  'MemberRemoved',
  'SessionEnded',
  'AccountVisited',
  'AccountLeft',
  'AccountClosed',
] satisfies readonly (MemberEvent | SessionEvent | AccountEvent)['type'][];

/** Whether a session may have ended or have other rights since. */
export const endsSessions = ({ type }: RecordedEvent) => OUTDATED_BY.includes(type);

/** The time of the last request is written at most so often. */
const NOTED_EVERY: Milliseconds = 60_000;

const viewer = INTEGRATION_SCOPES.filter((scope) => scope.endsWith(':read'));
const developer = [...INTEGRATION_SCOPES, 'panel:keys', 'panel:printers', 'panel:documents'] as const;

/** What a member may do: scopes of the Integration API, and those of the panel alone. */
export const SCOPES_OF_ROLE: Readonly<Record<MemberRole, readonly string[]>> = {
  viewer,
  developer,
  owner: [...developer, 'panel:members'],
};

/**
 * Accepts the sessions of members and operators, and of operators who visit an account. Decides on the streams of session, member and account, whose states
 * are cached, and asks no read model; the role is the member's current one.
 */
@Injectable()
export class SessionAuthenticator extends CachedAuthenticator<CachedSession, SessionPrincipal> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
    events: EventStore,
  ) {
    super(events, { prefixes: ['svc_session_live_'], outdatedBy: OUTDATED_BY });
  }

  /** For a surface that accepts these kinds of sessions only. */
  of(...kinds: readonly CallerKind[]): SessionAuthentication {
    return async (secret) => {
      const known = await this.known(secret);
      return known && kinds.includes(this.callerKind(known)) ? this.use(known) : undefined;
    };
  }

  /** Undefined if the session is unknown or has ended. */
  async open(sessionId: string): Promise<CachedSession | undefined> {
    const { state } = await this.aggregates.load(sessions, sessionId);
    if (state.status !== 'open') return undefined;
    const [lastRequestAt = state.openedAt] = await this.liveness.lastHeartbeats([keyOf(state)]);
    if (this.clock.now() >= endOf(state, lastRequestAt)) return undefined;
    const member = state.user.kind === 'member' ? await this.memberOf(state) : undefined;
    if (state.user.kind === 'member' && !member) return undefined;
    return { session: state, member, visit: await this.visitOf(state), lastRequestAt };
  }

  protected async find(id: string, secret: string): Promise<CachedSession | undefined> {
    const known = await this.open(id);
    return known && isCredential(secret, known.session.hash) ? known : undefined;
  }

  protected async use(known: CachedSession): Promise<SessionPrincipal | undefined> {
    const now = this.clock.now();
    if (now >= endOf(known.session, known.lastRequestAt)) return undefined;
    if (now >= plus(known.lastRequestAt, NOTED_EVERY)) {
      known.lastRequestAt = now;
      await this.liveness.recordHeartbeat([keyOf(known.session)], now);
    }
    return this.principalOf(known);
  }

  /** The member, unless removed, signed out everywhere, or of a closed account. */
  private async memberOf({ user, sessionId }: OpenedSession): Promise<Member | undefined> {
    if (user.kind !== 'member') return undefined;
    if (!(await this.isOpen(user.accountId))) return undefined;
    const { state: all } = await this.aggregates.load(members, user.accountId);
    const member = memberOf(all, user.memberId);
    return member && countsSession(member, sessionId, user.generation) ? member : undefined;
  }

  private async visitOf({ visit }: OpenedSession): Promise<Visit | undefined> {
    return isVisiting(visit, this.clock.now()) && (await this.isOpen(visit.accountId)) ? visit : undefined;
  }

  private async isOpen(accountId: string): Promise<boolean> {
    const { state: account } = await this.aggregates.load(accounts, accountId);
    return account.status !== 'absent' && account.status !== 'closed';
  }

  private callerKind({ session, visit }: CachedSession): CallerKind {
    return isVisiting(visit, this.clock.now()) ? 'visitor' : session.user.kind;
  }

  private principalOf(known: CachedSession): SessionPrincipal | MemberPrincipal {
    const { session, member, visit } = known;
    const { sessionId: credentialId, user } = session;
    if (user.kind === 'operator') {
      const operator = { kind: 'operator', credentialId, actorId: user.name, session } as const;
      if (this.callerKind(known) !== 'visitor') {
        const isStillValid = async () => {
          const now = await this.open(credentialId);
          return now !== undefined && !now.visit;
        };
        return { ...operator, scopes: new Set(), isStillValid };
      }
      return {
        ...operator,
        ...{ callsAs: 'visitor', scopes: new Set(viewer), accountId: visit!.accountId },
        isStillValid: async () => (await this.open(credentialId))?.visit?.accountId === visit!.accountId,
      };
    }
    const { accountId, memberId: actorId } = user;
    const scopes = new Set(SCOPES_OF_ROLE[member!.role]);
    return {
      kind: 'member',
      credentialId,
      actorId,
      scopes,
      accountId,
      member: member!,
      session,
      isStillValid: async () => (await this.open(credentialId))?.member?.role === member!.role,
    };
  }
}

const keyOf = ({ sessionId }: OpenedSession) => `session:${sessionId}`;
