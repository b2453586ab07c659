import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/members.js';
import {
  EndSession,
  LeaveAccount,
  OpenDocument,
  OpenSession,
  sessionDecider,
  type OpenedSession,
  VisitAccount,
} from './session.decider.js';
import type { SessionEvent } from './session.events.js';
import { endOf, isVisiting, needsNoOldPassword } from './session.rules.js';

const { given } = storyOf(sessionDecider);
const { NOON, later, by, SESSION_ID, ACCOUNT_ID, BEA } = the;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const member = { kind: 'member', accountId: ACCOUNT_ID, memberId: BEA, generation: 0 } as const;
const session = { hash: 'hash', user: member, signedInBy: 'link' } as const;
const open = new OpenSession({ sessionId: SESSION_ID, session, at: NOON, by });
const opened: Extract<SessionEvent, { type: 'SessionOpened' }> = {
  type: 'SessionOpened',
  data: { sessionId: SESSION_ID, ...session, openedAt: NOON },
};
const ended: SessionEvent = { type: 'SessionEnded', data: {} };
const end = new EndSession({ sessionId: SESSION_ID, at: NOON, by });

describe('a session', () => {
  it('is opened once and ended once', () => {
    given().when(open).then(opened);
    given(opened).when(open).thenNothing();
    given(opened).when(end).then(ended);
    given(opened, ended).when(end).thenNothing();
    given(opened, ended).when(open).thenNothing();
    given().when(end).thenRejected('SessionNotFound');
  });

  it('is not changed by an event of a later release', () => {
    const unknown = { type: 'SessionPraised', data: {} } as unknown as SessionEvent;
    expect(given(opened, unknown).state()).toEqual(given(opened).state());
  });
});

describe('a document opened in a session', () => {
  const openDocument = new OpenDocument({ sessionId: SESSION_ID, jobId: 'the-job', at: NOON, by });
  const documentOpened: SessionEvent = { type: 'DocumentOpened', data: { jobId: 'the-job' } };

  it('is stored each time', () => {
    given(opened).when(openDocument).then(documentOpened);
    given(opened, documentOpened).when(openDocument).then(documentOpened);
  });

  it('leaves the session unchanged, and requires one', () => {
    given(opened, documentOpened).when(end).then(ended);
    given(opened, ended).when(openDocument).thenRejected('SessionNotFound');
    given().when(openDocument).thenRejected('SessionNotFound');
  });
});

describe('the visit of an operator to an account', () => {
  const operator = { kind: 'operator', name: 'olga' } as const;
  const ofOperator: SessionEvent = { ...opened, data: { ...opened.data, user: operator } };
  const client = { address: '192.0.2.7' };
  const visit = (endsAt = later(30 * MINUTE)) =>
    new VisitAccount({ sessionId: SESSION_ID, accountId: ACCOUNT_ID, endsAt, client, at: NOON, by });
  const visited: SessionEvent = {
    type: 'AccountVisited',
    data: { accountId: ACCOUNT_ID, endsAt: later(30 * MINUTE), ...client },
  };
  const leave = new LeaveAccount({ sessionId: SESSION_ID, at: NOON, by });
  const left: SessionEvent = { type: 'AccountLeft', data: { accountId: ACCOUNT_ID } };

  it('is stored with where it came from, and once', () => {
    given(ofOperator).when(visit()).then(visited);
    given(ofOperator, visited).when(visit()).thenNothing();
    given(ofOperator, visited, left).when(visit()).then(visited);
  });

  it('ends when the operator leaves, or with its time', () => {
    given(ofOperator, visited).when(leave).then(left);
    given(ofOperator, visited, left).when(leave).thenNothing();
    const { visit: open } = given(ofOperator, visited).state() as OpenedSession;
    expect(isVisiting(open, later(30 * MINUTE - 1))).toBe(true);
    expect(isVisiting(open, later(30 * MINUTE))).toBe(false);
  });

  it('is refused to members and in ended sessions', () => {
    given(opened).when(visit()).thenRejected('SessionNotFound');
    given(ofOperator, ended).when(visit()).thenRejected('SessionNotFound');
  });
});

describe('the end of a session', () => {
  const of = (user: OpenedSession['user']): OpenedSession => ({ status: 'open', ...opened.data, user });

  it('of a member comes 12 hours after the last request, at most 7 days after the sign-in', () => {
    expect(endOf(of(member))).toBe(later(12 * HOUR));
    expect(endOf(of(member), later(DAY))).toBe(later(DAY + 12 * HOUR));
    expect(endOf(of(member), later(7 * DAY - HOUR))).toBe(later(7 * DAY));
    expect(endOf(of(member), later(-DAY))).toBe(later(12 * HOUR));
  });

  it('of an operator comes an hour after the last request, at most 12 hours after the sign-in', () => {
    const operator = { kind: 'operator', name: 'olga' } as const;
    expect(endOf(of(operator))).toBe(later(HOUR));
    expect(endOf(of(operator), later(11.5 * HOUR))).toBe(later(12 * HOUR));
  });

  it('does not apply to a password chosen within ten minutes of a link', () => {
    expect(needsNoOldPassword(of(member), later(10 * MINUTE - 1))).toBe(true);
    expect(needsNoOldPassword(of(member), later(10 * MINUTE))).toBe(false);
    expect(needsNoOldPassword({ ...of(member), signedInBy: 'password' }, NOON)).toBe(false);
  });
});
