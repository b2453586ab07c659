import { Command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { SessionEvent, SessionOpened } from './session.events.js';

export type SessionRejection = { readonly code: 'SessionNotFound' };

/** Opens a session whose secret only the caller knows. Repeating it writes nothing. */
export class OpenSession extends Command<Outcome<unknown, SessionEvent, never>> {
  readonly kind = 'OpenSession';
  constructor(
    readonly sessionId: string,
    readonly session: Omit<SessionOpened['data'], 'sessionId' | 'openedAt'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class EndSession extends Command<Outcome<unknown, SessionEvent, SessionRejection>> {
  readonly kind = 'EndSession';
  constructor(
    readonly sessionId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Notes that the user of an open session was given a document. Each time counts. */
export class OpenDocument extends Command<Outcome<unknown, SessionEvent, SessionRejection>> {
  readonly kind = 'OpenDocument';
  constructor(
    readonly sessionId: string,
    readonly jobId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

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
