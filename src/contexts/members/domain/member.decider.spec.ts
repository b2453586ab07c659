import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/members.js';
import { memberDecider } from './member.decider.js';
import type { MemberEvent } from './member.events.js';
import { countsSession, memberNamed, memberOf } from './member.state.js';

const { given } = storyOf(memberDecider);
const { BEA, CARL, SESSION_ID } = the;
const hundred = Array.from({ length: 100 }, (_, n) => the.invited(`member-${n}`, `name-${n}`));

describe('inviting a member', () => {
  it("stores the member's details, and writes nothing when repeated", () => {
    given().when(the.invite()).then(the.invited());
    given(the.invited()).when(the.invite()).thenNothing();
  });

  it('never gives a name to a second person, not even after a removal', () => {
    given(the.invited()).when(the.invite(CARL, 'bea')).thenRejected('NameTaken');
    given(the.invited(CARL, 'carl'), the.invited(), the.removed())
      .when(the.invite('other', 'bea'))
      .thenRejected('NameTaken');
  });

  it('accepts names such as toString', () => {
    given(the.invited()).when(the.invite(CARL, 'constructor')).then(the.invited(CARL, 'constructor'));
    expect(memberNamed(given(the.invited()).state(), 'constructor')).toBeUndefined();
    expect(memberOf(given(the.invited()).state(), 'constructor')).toBeUndefined();
  });

  it('is refused beyond a hundred members, without counting removed ones', () => {
    given(...hundred)
      .when(the.invite())
      .thenRejected('MemberLimitReached');
    given(...hundred, the.removed('member-7'))
      .when(the.invite())
      .then(the.invited());
  });
});

describe('a member', () => {
  it('is not changed by an event of a later release', () => {
    const later = { ...the.roleChanged('viewer'), type: 'MemberPraised' } as unknown as MemberEvent;
    expect(given(the.invited(), later).state()).toEqual(given(the.invited()).state());
  });
});

describe('changing a role', () => {
  it('stores a different role only', () => {
    given(the.invited(BEA, 'bea', 'viewer'))
      .when(the.changeRole('owner'))
      .then(the.roleChanged('owner'));
    given(the.invited()).when(the.changeRole('owner')).thenNothing();
    given().when(the.changeRole('owner')).thenRejected('MemberNotFound');
  });

  it('keeps the last owner', () => {
    given(the.invited(), the.invited(CARL, 'carl', 'developer'))
      .when(the.changeRole('developer'))
      .thenRejected('LastOwner');
    given(the.invited(), the.invited(CARL, 'carl', 'owner'))
      .when(the.changeRole('viewer'))
      .then(the.roleChanged('viewer'));
    given(the.invited(), the.invited(CARL, 'carl', 'owner'), the.roleChanged('viewer'))
      .when(the.changeRole('viewer', CARL))
      .thenRejected('LastOwner');
  });
});

describe('removing a member', () => {
  it('keeps the last owner', () => {
    given(the.invited()).when(the.remove()).thenRejected('LastOwner');
    given(the.invited(), the.invited(CARL, 'carl', 'viewer'))
      .when(the.remove(CARL))
      .then(the.removed(CARL));
  });

  it('writes nothing when repeated, and is refused for an unknown member', () => {
    given(the.invited(), the.invited(CARL, 'carl'), the.removed(CARL)).when(the.remove(CARL)).thenNothing();
    given(the.invited()).when(the.remove(CARL)).thenRejected('MemberNotFound');
  });
});

describe('ending sessions', () => {
  const counts = (generation: number, session: string, ...events: Parameters<typeof given>) =>
    countsSession(memberOf(given(...events).state(), BEA)!, session, generation);

  it('ends those of the generation and of older ones, once', () => {
    given(the.invited()).when(the.endSessions(0)).then(the.sessionsEnded());
    given(the.invited(), the.sessionsEnded()).when(the.endSessions(0)).thenNothing();
    expect(counts(0, 'any', the.invited())).toBe(true);
    expect(counts(0, 'any', the.invited(), the.sessionsEnded())).toBe(false);
    expect(counts(1, 'any', the.invited(), the.sessionsEnded())).toBe(true);
  });

  it('keeps the session that chose a new password, until all sessions end', () => {
    expect(counts(0, SESSION_ID, the.invited(), the.passwordSet())).toBe(true);
    expect(counts(0, 'other', the.invited(), the.passwordSet())).toBe(false);
    expect(counts(0, SESSION_ID, the.invited(), the.passwordSet(), the.roleChanged('viewer'))).toBe(true);
    expect(counts(0, SESSION_ID, the.invited(), the.passwordSet(), the.passwordSet('b', 'x'))).toBe(false);
    expect(counts(0, SESSION_ID, the.invited(), the.passwordSet(), the.sessionsEnded())).toBe(false);
  });

  it('keeps the password', () => {
    const state = given(the.invited(), the.passwordSet(), the.sessionsEnded()).state();
    expect(memberOf(state, BEA)?.password).toEqual(the.sealed());
  });
});

describe('setting a password', () => {
  it('stores only a new hash, and only for an existing member', () => {
    given(the.invited()).when(the.setPassword()).then(the.passwordSet());
    given(the.invited(), the.passwordSet()).when(the.setPassword()).thenNothing();
    given().when(the.setPassword()).thenRejected('MemberNotFound');
  });
});

describe('choosing a theme', () => {
  it('stores another one only, and leaves sessions and alerts alone', () => {
    given(the.invited()).when(the.chooseTheme('dark')).then(the.themeChosen('dark'));
    given(the.invited()).when(the.chooseTheme('system')).thenNothing();
    given(the.invited(), the.themeChosen('dark')).when(the.chooseTheme('dark')).thenNothing();
    given(the.invited(), the.themeChosen('dark'))
      .when(the.chooseTheme('system'))
      .then(the.themeChosen('system'));
    given().when(the.chooseTheme('dark')).thenRejected('MemberNotFound');
    const before = [the.invited(), the.passwordSet(), the.alertsChosen()] as const;
    const state = given(...before, the.themeChosen('dark')).state();
    expect(memberOf(state, BEA)).toEqual({ ...memberOf(given(...before).state(), BEA), theme: 'dark' });
  });
});

describe('choosing alerts', () => {
  it('keeps the choice, and since when alerts are on', () => {
    given(the.invited()).when(the.chooseAlerts()).then(the.alertsChosen());
    given(the.invited(), the.alertsChosen())
      .when(the.chooseAlerts({ pace: 'at_once' }, 5_000))
      .then(the.alertsChosen({ pace: 'at_once' }));
    given(the.invited(), the.alertsChosen({ channels: [] }))
      .when(the.chooseAlerts({}, 5_000))
      .then(the.alertsChosen({}, 5_000));
  });

  it('writes nothing for the same choice, and is refused to strangers', () => {
    given(the.invited(), the.alertsChosen()).when(the.chooseAlerts({}, 5_000)).thenNothing();
    given(the.invited())
      .when(the.chooseAlerts({}, 0, the.CARL))
      .thenRejected('MemberNotFound');
  });
});
