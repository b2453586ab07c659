import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { Actor } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { PanelLinkEvent, PanelLinkEventData } from './session.events.js';

export type PanelLinkRejection = { readonly code: 'LinkUnknown' | 'LinkUsed' | 'LinkExpired' };

type PanelLinkOutcome<R extends PanelLinkRejection> = Outcome<unknown, PanelLinkEvent, R>;

/** Invalidates earlier links of the stream. */
export class IssuePanelLink extends command('IssuePanelLink')<
  { linkId: string; link: PanelLinkEventData['PanelLinkIssued'] },
  PanelLinkOutcome<never>
> {}

export class UsePanelLink extends command('UsePanelLink')<
  { linkId: string; hash: string; sessionId: string },
  PanelLinkOutcome<PanelLinkRejection>
> {}

/** The link's own session cannot dismiss its notice: it may not be the member's. */
export class DismissLinkNotices extends command('DismissLinkNotices')<
  { linkId: string; sessionId: string },
  PanelLinkOutcome<never>
> {}

export type PanelLinkCommand = IssuePanelLink | UsePanelLink | DismissLinkNotices;

export interface LinkNotice {
  readonly by: Actor;
  readonly at: Instant;
  readonly usedAt?: Instant | undefined;
  readonly usedBy?: string;
}

export type PanelLink =
  | { readonly status: 'absent' }
  | ({ readonly status: 'open' | 'used' } & PanelLinkEventData['PanelLinkIssued'] & {
        readonly usedBy?: string;
        /** Oldest first. */
        readonly notices: readonly LinkNotice[];
      });

const MAX_NOTICES = 20;

export const panelLinkDecider: Decider<PanelLink, PanelLinkCommand, PanelLinkEvent, PanelLinkRejection> = {
  initialState: { status: 'absent' },

  decide(link, command) {
    if (command.kind === 'IssuePanelLink') {
      const isRepeat = link.status !== 'absent' && link.hash === command.link.hash;
      return isRepeat ? accept() : accept({ type: 'PanelLinkIssued', data: command.link });
    }
    if (command.kind === 'DismissLinkNotices') {
      const { sessionId } = command;
      const isShown = link.status !== 'absent' && link.notices.some(({ usedBy }) => usedBy !== sessionId);
      return isShown ? accept({ type: 'PanelLinkNoticesDismissed', data: { sessionId } }) : accept();
    }
    const { hash, sessionId, at } = command;
    if (link.status === 'absent' || link.hash !== hash) return reject({ code: 'LinkUnknown' });
    if (link.usedBy === sessionId) return accept();
    if (link.status === 'used') return reject({ code: 'LinkUsed' });
    if (at >= link.expiresAt) return reject({ code: 'LinkExpired' });
    return accept({ type: 'PanelLinkUsed', data: { sessionId, usedAt: at } });
  },

  evolve(link, event) {
    const earlier = link.status === 'absent' ? [] : link.notices;
    if (event.type === 'PanelLinkIssued') {
      const { notice } = event.data;
      const notices = notice ? [...earlier, notice].slice(-MAX_NOTICES) : earlier;
      return { status: 'open', ...event.data, notices };
    }
    if (link.status === 'absent') return link;
    const { sessionId } = event.data;
    if (event.type === 'PanelLinkNoticesDismissed')
      return { ...link, notices: earlier.filter(({ usedBy }) => usedBy === sessionId) };
    const { notice } = link;
    const others = earlier.filter(({ at, usedBy }) => usedBy !== undefined || at !== notice?.at);
    const used = notice && { ...notice, usedAt: event.data.usedAt, usedBy: sessionId };
    return { ...link, status: 'used', usedBy: sessionId, notices: used ? [...others, used] : earlier };
  },
};
