import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/members.js';
import { IssuePanelLink, panelLinkDecider, UsePanelLink } from './panel-link.decider.js';
import type { PanelLinkEvent } from './panel-link.events.js';

const { given } = storyOf(panelLinkDecider);
const { NOON, later, by, LINK_ID, SESSION_ID } = the;
const HOUR = 3_600_000;
const linked = (hash = 'hash') =>
  ({ hash, user: { kind: 'operator', name: 'olga' }, expiresAt: later(HOUR) }) as const;
const issue = (hash = 'hash') => new IssuePanelLink(LINK_ID, linked(hash), NOON, by);
const issued = (hash = 'hash'): PanelLinkEvent => ({ type: 'PanelLinkIssued', data: linked(hash) });
const use = (hash = 'hash', at = NOON, session = SESSION_ID) =>
  new UsePanelLink(LINK_ID, hash, session, at, by);
const used: PanelLinkEvent = { type: 'PanelLinkUsed', data: { sessionId: SESSION_ID } };

describe('a sign-in link', () => {
  it('is issued, and a newer one replaces it', () => {
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

  it('is valid again only as a new one', () => {
    given(issued(), used, issued('newer'))
      .when(use('newer', NOON, 'other'))
      .then({
        type: 'PanelLinkUsed',
        data: { sessionId: 'other' },
      });
  });

  it('is refused from its expiry on, and for another secret', () => {
    given(issued())
      .when(use('hash', later(HOUR - 1)))
      .then(used);
    given(issued())
      .when(use('hash', later(HOUR)))
      .thenRejected('LinkExpired');
    given(issued()).when(use('guess')).thenRejected('LinkUnknown');
    given().when(use()).thenRejected('LinkUnknown');
  });
});
