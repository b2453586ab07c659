import type { Actor, EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export type PanelUser =
  | { readonly kind: 'member'; readonly accountId: string; readonly memberId: string }
  | { readonly kind: 'operator'; readonly name: string };

export interface PanelLinkEventData {
  readonly PanelLinkIssued: {
    readonly hash: string;
    readonly user: PanelUser;
    readonly expiresAt: Instant;
    /** Set if another person made the link for an existing member. */
    readonly notice?: { readonly by: Actor; readonly at: Instant };
  };
  readonly PanelLinkUsed: { readonly sessionId: string; readonly usedAt?: Instant };
  /** Keeps the notice of the link that opened this session. */
  readonly PanelLinkNoticesDismissed: { readonly sessionId: string };
}

export type PanelLinkEvent = EventsOf<PanelLinkEventData>;
