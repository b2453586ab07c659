import { Command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { PanelLinkEvent, PanelLinkIssued } from './panel-link.events.js';

export type PanelLinkRejection = { readonly code: 'LinkUnknown' | 'LinkUsed' | 'LinkExpired' };

type PanelLinkOutcome<R extends PanelLinkRejection> = Outcome<unknown, PanelLinkEvent, R>;

/** The newest link of the stream, whose secret only the caller knows, is the only valid one. */
export class IssuePanelLink extends Command<PanelLinkOutcome<never>> {
  readonly kind = 'IssuePanelLink';
  constructor(
    readonly linkId: string,
    readonly link: PanelLinkIssued['data'],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Uses the link up. `hash` is that of the secret shown. */
export class UsePanelLink extends Command<PanelLinkOutcome<PanelLinkRejection>> {
  readonly kind = 'UsePanelLink';
  constructor(
    readonly linkId: string,
    readonly hash: string,
    readonly sessionId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type PanelLinkCommand = IssuePanelLink | UsePanelLink;

export type PanelLink =
  | { readonly status: 'absent' }
  | ({ readonly status: 'open' | 'used' } & PanelLinkIssued['data'] & { readonly usedBy?: string });

export const panelLinkDecider: Decider<PanelLink, PanelLinkCommand, PanelLinkEvent, PanelLinkRejection> = {
  initialState: { status: 'absent' },

  decide(link, command) {
    if (command.kind === 'IssuePanelLink') {
      const isRepeat = link.status !== 'absent' && link.hash === command.link.hash;
      return isRepeat ? accept() : accept({ type: 'PanelLinkIssued', data: command.link });
    }
    const { hash, sessionId, at } = command;
    if (link.status === 'absent' || link.hash !== hash) return reject({ code: 'LinkUnknown' });
    if (link.usedBy === sessionId) return accept();
    if (link.status === 'used') return reject({ code: 'LinkUsed' });
    if (at >= link.expiresAt) return reject({ code: 'LinkExpired' });
    return accept({ type: 'PanelLinkUsed', data: { sessionId } });
  },

  evolve(link, event) {
    if (event.type === 'PanelLinkIssued') return { status: 'open', ...event.data };
    return link.status === 'absent'
      ? link
      : { ...link, status: 'used' as const, usedBy: event.data.sessionId };
  },
};
