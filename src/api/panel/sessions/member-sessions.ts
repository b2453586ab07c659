import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AuditQueries } from '../../../../projections/audit/audit.queries.js';
import { EndSession, type Unsigned } from '../../../contexts/members/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { type KnownSession, SessionAuthenticator } from '../session.authenticator.js';

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
  async list(memberId: string): Promise<readonly KnownSession[]> {
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
    const replaced = secret && (await this.sessions.of('member', 'operator')(secret));
    if (!replaced) return;
    const { kind, actorId, credentialId } = replaced;
    await this.end(credentialId, { ...via, actor: { kind, id: actorId ?? credentialId } });
  }

  end(sessionId: string, by: Origin) {
    return this.commands.execute(new EndSession({ sessionId, at: this.clock.now(), by }));
  }
}
