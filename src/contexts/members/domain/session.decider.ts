import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import type { Instant } from '../../../kernel/time.js';
import type { SessionEvent, SessionEventData, SignInClient } from './session.events.js';

export type SessionRejection = { readonly code: 'SessionNotFound' };

type SessionOutcome = Outcome<unknown, SessionEvent, SessionRejection>;

export class OpenSession extends command('OpenSession')<
  { sessionId: string; session: Omit<SessionEventData['SessionOpened'], 'sessionId' | 'openedAt'> },
  Outcome<unknown, SessionEvent, never>
> {}

export class EndSession extends command('EndSession')<{ sessionId: string }, SessionOutcome> {}

/** Each access counts. */
export class OpenDocument extends command('OpenDocument')<
  { sessionId: string; jobId: string },
  SessionOutcome
> {}

/** In the session of an operator; replaces the visit before. Precondition: the account is open. */
export class VisitAccount extends command('VisitAccount')<
  { sessionId: string; accountId: string; endsAt: Instant; client: SignInClient },
  SessionOutcome
> {}

export class LeaveAccount extends command('LeaveAccount')<{ sessionId: string }, SessionOutcome> {}

export type SessionCommand = OpenSession | EndSession | OpenDocument | VisitAccount | LeaveAccount;

export interface Visit {
  readonly accountId: string;
  readonly endsAt: Instant;
}

export type OpenedSession = { readonly status: 'open' | 'ended' } & SessionEventData['SessionOpened'] & {
    /** Its time may be over. */
    readonly visit?: Visit | undefined;
  };
export type Session = { readonly status: 'absent' } | OpenedSession;

export const sessionDecider: Decider<Session, SessionCommand, SessionEvent, SessionRejection> = {
  initialState: { status: 'absent' },

  decide(session, command) {
    if (command.kind === 'OpenSession') {
      const { sessionId, at: openedAt } = command;
      if (session.status !== 'absent') return accept();
      return accept({ type: 'SessionOpened', data: { sessionId, ...command.session, openedAt } });
    }
    if (session.status === 'absent') return reject({ code: 'SessionNotFound' });
    if (command.kind === 'EndSession')
      return session.status === 'ended' ? accept() : accept({ type: 'SessionEnded', data: {} });
    if (session.status === 'ended') return reject({ code: 'SessionNotFound' });
    switch (command.kind) {
      case 'OpenDocument':
        return accept({ type: 'DocumentOpened', data: { jobId: command.jobId } });
      case 'VisitAccount':
        return visit(session, command);
      case 'LeaveAccount':
        if (!session.visit) return accept();
        return accept({ type: 'AccountLeft', data: { accountId: session.visit.accountId } });
    }
  },

  evolve(session, event) {
    if (event.type === 'SessionOpened') return { status: 'open', ...event.data };
    if (session.status === 'absent') return session;
    switch (event.type) {
      case 'DocumentOpened':
        return session;
      case 'AccountVisited':
        return { ...session, visit: { accountId: event.data.accountId, endsAt: event.data.endsAt } };
      case 'AccountLeft':
        return { ...session, visit: undefined };
      case 'SessionEnded':
        return { ...session, status: 'ended' };
      default: // Of a later release.
        return session;
    }
  },
};

function visit(
  session: OpenedSession,
  { accountId, endsAt, client }: VisitAccount,
): Decision<SessionEvent, SessionRejection> {
  if (session.user.kind !== 'operator') return reject({ code: 'SessionNotFound' });
  if (session.visit?.accountId === accountId && session.visit.endsAt === endsAt) return accept();
  return accept({ type: 'AccountVisited', data: { accountId, endsAt, ...client } });
}
