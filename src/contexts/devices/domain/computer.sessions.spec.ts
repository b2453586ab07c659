import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { computerDecider } from './computer.decider.js';
import {
  isLostSession,
  isSuccession,
  predecessorsOf,
  sessionIdFor,
  sessionsBefore,
} from './session-succession.js';

const { given } = storyOf(computerDecider);
const session = (n: number) => `019aa000-0000-7000-8000-00000000000${n}`;
const started = (...numbers: number[]) => [
  pc.registered,
  ...numbers.map((n) => pc.sessionStarted({ sessionId: session(n) })),
];
const called = (n: number) => pc.sessionCalled(session(n));

describe('noting a call of a replaced session', () => {
  it('stores it once', () => {
    given(...started(1, 2))
      .when(pc.noteReplaced(session(1)))
      .then(called(1));
    given(...started(1, 2), called(1))
      .when(pc.noteReplaced(session(1)))
      .thenNothing();
  });

  it('ignores the current session and unknown ones', () => {
    given(...started(1, 2))
      .when(pc.noteReplaced(session(2)))
      .thenNothing();
    given(...started(1, 2))
      .when(pc.noteReplaced(session(9)))
      .thenNothing();
  });
});

describe('finding the sessions that a restart replaced', () => {
  it('returns all silent sessions before the current one', () => {
    expect(predecessorsOf(given(...started(1, 2, 3)).state())).toEqual([session(1), session(2)]);
  });

  it('omits the latest session that called, and all before it', () => {
    const state = given(...started(1, 2, 3, 4), called(2)).state();
    expect(predecessorsOf(state)).toEqual([session(3)]);
    expect(isSuccession(state, session(1), session(2))).toBe(true);
    expect(isSuccession(state, session(1), session(3))).toBe(false);
    expect(isSuccession(state, session(3), session(4))).toBe(true);
  });

  it('omits sessions before a new enrolment or a revocation', () => {
    for (const end of [pc.reenrolled(), pc.revoked]) {
      const again = pc.sessionStarted({ sessionId: session(3) });
      expect(predecessorsOf(given(...started(1, 2), end, again).state())).toEqual([]);
    }
  });

  it('keeps sixteen sessions', () => {
    const many = Array.from({ length: 20 }, (_, n) => pc.sessionStarted({ sessionId: `session ${n}` }));
    expect(predecessorsOf(given(pc.registered, ...many).state())).toHaveLength(16);
  });

  it('returns those before a given session', () => {
    const state = given(...started(1, 2, 3)).state();
    expect(sessionsBefore(state, session(2))).toEqual([session(1)]);
    expect(sessionsBefore(state, session(9))).toEqual([]);
  });
});

describe('recognising a session that the store has lost', () => {
  const own = (n: number) => sessionIdFor(pc.COMPUTER_ID, session(n));
  const state = given(
    pc.registered,
    pc.sessionStarted({ sessionId: own(1) }),
    pc.sessionStarted({ sessionId: sessionIdFor(pc.COMPUTER_ID, '019aa000-0002-7000-8000-000000000000') }),
  ).state();

  it.each([
    ['newer', sessionIdFor(pc.COMPUTER_ID, '019aa000-0003-7000-8000-000000000000'), true],
    ['older', sessionIdFor(pc.COMPUTER_ID, '019a0000-0000-7000-8000-000000000000'), false],
    ['replaced', own(1), false],
    ['of another computer', sessionIdFor('another', '019aa000-0003-7000-8000-000000000000'), false],
    ['random', 'ffffffff-0000-4000-8000-000000000000', false],
  ])('matches a session of this computer newer than its current one: %s', (_, sessionId, expected) => {
    expect(isLostSession(state, sessionId)).toBe(expected);
  });
});

describe('reporting unknown jobs', () => {
  it('stores each job and fence once', () => {
    given(...started(1), pc.unknownJobReported(1))
      .when(pc.reportUnknown(pc.unknownJob(1), pc.unknownJob(2), pc.unknownJob(2)))
      .then(pc.unknownJobReported(2));
  });

  it('stores the first hundred', () => {
    const many = Array.from({ length: 100 }, (_, n) => pc.unknownJobReported(n));
    given(...started(1), ...many)
      .when(pc.reportUnknown(pc.unknownJob(100)))
      .thenNothing();
  });
});

describe('reporting the health of an agent', () => {
  const stuck = (printerKey: string) => ({
    printerKey,
    reason: 'no progress',
    since: '2026-11-21T12:00:00.000Z',
  });
  const error = (message: string) => ({ code: 'NETWORK', message, at: '2026-11-21T12:00:00.000Z' });

  it('stores the first report and each change of state', () => {
    given(...started(1))
      .when(pc.reportHealth())
      .then(pc.healthChanged());
    const changes = [
      { lowSpace: true },
      { behind: true },
      { lastError: error('no route') },
      { stuckPrinters: [stuck('desk')] },
    ];
    for (const more of changes) {
      given(...started(1), pc.healthChanged())
        .when(pc.reportHealth(more))
        .then(pc.healthChanged(more));
    }
  });

  it('stores a change of the stuck printers, but not of their order', () => {
    const both = [stuck('desk'), stuck('till')];
    given(...started(1), pc.healthChanged({ stuckPrinters: both }))
      .when(pc.reportHealth({ stuckPrinters: both.toReversed() }))
      .thenNothing();
    given(...started(1), pc.healthChanged({ stuckPrinters: both }))
      .when(pc.reportHealth())
      .then(pc.healthChanged());
  });

  it('stores no change of figures or of the message alone', () => {
    given(...started(1), pc.healthChanged({ lastError: error('no route') }))
      .when(pc.reportHealth({ lastError: error('reset'), freeBytes: 1, unsentReports: 3 }))
      .thenNothing();
  });
});

describe('starting a session', () => {
  const start = (sessionId: string, startId?: string) => pc.startSession({ sessionId, startId });
  const first = pc.sessionStarted({ sessionId: session(1), startId: 'start 1' });

  it('writes nothing for a repeat of the current start', () => {
    given(pc.registered, first)
      .when(start(session(2), 'start 1'))
      .thenNothing();
  });

  it('is refused for a start that a newer session has replaced', () => {
    given(pc.registered, first, pc.sessionStarted({ sessionId: session(2) }))
      .when(start(session(3), 'start 1'))
      .thenRejected('SessionReplaced');
  });

  it('replaces the session of an unnamed start', () => {
    const { startId } = given(...started(1), pc.sessionStarted({ sessionId: session(2) })).state();
    expect(startId).toBeUndefined();
    expect(sessionsBefore(given(...started(1, 2)).state(), session(2))).toEqual([session(1)]);
  });
});
