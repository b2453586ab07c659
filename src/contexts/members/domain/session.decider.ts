import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { SessionEvent, SessionOpened } from './session.events.js';

export type SessionRejection = { readonly code: 'SessionNotFound' };

export class OpenSession extends command('OpenSession')<
  { sessionId: string; session: Omit<SessionOpened['data'], 'sessionId' | 'openedAt'> },
  Outcome<unknown, SessionEvent, never>
> {}

export class EndSession extends command('EndSession')<
  { sessionId: string },
  Outcome<unknown, SessionEvent, SessionRejection>
> {}

/** Each access counts. */
export class OpenDocument extends command('OpenDocument')<
  { sessionId: string; jobId: string },
  Outcome<unknown, SessionEvent, SessionRejection>
> {}

export type SessionCommand = OpenSession | EndSession | OpenDocument;

export type OpenedSession = { readonly status: 'open' | 'ended' } & SessionOpened['data'];
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
    return accept({ type: 'DocumentOpened', data: { jobId: command.jobId } });
  },

  evolve(session, event) {
    if (event.type === 'SessionOpened') return { status: 'open', ...event.data };
    if (session.status === 'absent' || event.type === 'DocumentOpened') return session;
    return { ...session, status: 'ended' };
  },
};
