import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/members.js';
import { DismissLinkNotices, IssuePanelLink, panelLinkDecider, UsePanelLink } from './panel-link.decider.js';
import type { PanelLinkEvent } from './session.events.js';

const { given } = storyOf(panelLinkDecider);
const { NOON, later, by, LINK_ID, SESSION_ID } = the;
const HOUR = 3_600_000;
const linked = (hash = 'hash') =>
  ({ hash, user: { kind: 'operator', name: 'olga' }, expiresAt: later(HOUR) }) as const;
const issue = (hash = 'hash') => new IssuePanelLink({ linkId: LINK_ID, link: linked(hash), at: NOON, by });
const issued = (hash = 'hash'): PanelLinkEvent => ({ type: 'PanelLinkIssued', data: linked(hash) });
const use = (hash = 'hash', at = NOON, session = SESSION_ID) =>
  new UsePanelLink({ linkId: LINK_ID, hash, sessionId: session, at, by });
const usedBy = (sessionId = SESSION_ID, usedAt = NOON): PanelLinkEvent => ({
  type: 'PanelLinkUsed',
  data: { sessionId, usedAt },
});
const used = usedBy();

describe('a sign-in link', () => {
  it('is valid until a newer one replaces it', () => {
    given().when(issue()).then(issued());
    given(issued()).when(issue()).thenNothing();
    given(issued()).when(issue('newer')).then(issued('newer'));
    given(issued(), issued('newer')).when(use()).thenRejected('LinkUnknown');
    given(issued(), issued('newer')).when(use('newer')).then(used);
  });

  it('is used once; a repeat of the same sign-in changes nothing', () => {
    given(issued()).when(use()).then(used);
    given(issued(), used).when(use()).thenNothing();
    given(issued(), used)
      .when(use('hash', NOON, 'other'))
      .thenRejected('LinkUsed');
  });

  it('is valid again only after a new issue', () => {
    given(issued(), used, issued('newer'))
      .when(use('newer', NOON, 'other'))
      .then(usedBy('other'));
  });

  it('is refused from its expiry on, and for another secret', () => {
    given(issued())
      .when(use('hash', later(HOUR - 1)))
      .then(usedBy(SESSION_ID, later(HOUR - 1)));
    given(issued())
      .when(use('hash', later(HOUR)))
      .thenRejected('LinkExpired');
    given(issued()).when(use('guess')).thenRejected('LinkUnknown');
    given().when(use()).thenRejected('LinkUnknown');
  });
});

describe('the notice about a link made by another person', () => {
  const notice = { by: by.actor, at: NOON };
  const told: PanelLinkEvent = { type: 'PanelLinkIssued', data: { ...linked(), notice } };
  const dismiss = (session: string) =>
    new DismissLinkNotices({ linkId: LINK_ID, sessionId: session, at: NOON, by });
  const dismissed = (sessionId: string): PanelLinkEvent => ({
    type: 'PanelLinkNoticesDismissed',
    data: { sessionId },
  });
  const noticesAfter = (...events: PanelLinkEvent[]) => {
    const link = events.reduce(panelLinkDecider.evolve, panelLinkDecider.initialState);
    return link.status === 'absent' ? [] : link.notices;
  };

  it('shows whether the link was used, and outlives newer links', () => {
    expect(noticesAfter(told)).toEqual([notice]);
    const after = { ...notice, usedAt: NOON, usedBy: SESSION_ID };
    expect(noticesAfter(told, used, issued('newer'))).toEqual([after]);
    expect(noticesAfter(issued(), used)).toEqual([]);
  });

  it('is dismissed once, but not in the session that the link opened', () => {
    given(told).when(dismiss('own')).then(dismissed('own'));
    given(told, dismissed('own')).when(dismiss('own')).thenNothing();
    given(told, used).when(dismiss(SESSION_ID)).thenNothing();
    given(told, used).when(dismiss('own')).then(dismissed('own'));
    given().when(dismiss('own')).thenNothing();
  });

  it('returns when the link is used after it was dismissed', () => {
    expect(noticesAfter(told, dismissed('own'))).toEqual([]);
    expect(noticesAfter(told, dismissed('own'), used)).toMatchObject([{ usedBy: SESSION_ID }]);
  });

  it('is kept among the twenty newest', () => {
    expect(noticesAfter(...Array.from({ length: 25 }, () => told))).toHaveLength(20);
  });
});
