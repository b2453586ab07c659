import type { Actor } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

/** The person whom a link signs in. */
export type PanelUser =
  | { readonly kind: 'member'; readonly accountId: string; readonly memberId: string }
  /** `name` is the actor of the operator's events. */
  | { readonly kind: 'operator'; readonly name: string };

/** Replaces the earlier links of the stream. */
export interface PanelLinkIssued {
  readonly type: 'PanelLinkIssued';
  readonly data: {
    /** SHA-256 of the whole secret. */
    readonly hash: string;
    readonly user: PanelUser;
    readonly expiresAt: Instant;
    /** Set if another person made the link for an existing member, who gets a notice. */
    readonly notice?: { readonly by: Actor; readonly at: Instant };
  };
}

export interface PanelLinkUsed {
  readonly type: 'PanelLinkUsed';
  readonly data: { readonly sessionId: string; readonly usedAt?: Instant };
}

/** The member has seen the notices about links, but not that of the link which opened this session. */
export interface PanelLinkNoticesDismissed {
  readonly type: 'PanelLinkNoticesDismissed';
  readonly data: { readonly sessionId: string };
}

export type PanelLinkEvent = PanelLinkIssued | PanelLinkUsed | PanelLinkNoticesDismissed;
