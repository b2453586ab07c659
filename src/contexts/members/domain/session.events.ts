import type { Actor, EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

/** `generation` is that of the member's sessions at the sign-in. */
export type SessionUser =
  | {
      readonly kind: 'member';
      readonly accountId: string;
      readonly memberId: string;
      readonly generation: number;
    }
  | { readonly kind: 'operator'; readonly name: string };

/** Absent in sessions of earlier releases. */
export interface SignInClient {
  /** From the socket or a trusted proxy. */
  readonly address?: string;
  readonly userAgent?: string;
}

export interface SessionEventData {
  readonly SessionOpened: SignInClient & {
    readonly sessionId: string;
    readonly hash: string;
    readonly user: SessionUser;
    readonly signedInBy: 'link' | 'password';
    readonly openedAt: Instant;
    readonly linkBy?: Actor;
  };
  /** By signing out or in again, in the list of sessions, or because there were too many. */
  readonly SessionEnded: Record<string, never>;
  readonly DocumentOpened: { readonly jobId: string };
  /** An operator sees an account as its viewers do, until `endsAt` at the latest. */
  readonly AccountVisited: SignInClient & { readonly accountId: string; readonly endsAt: Instant };
  /** Before the visit's time was over. */
  readonly AccountLeft: { readonly accountId: string };
}

export type SessionEvent = EventsOf<SessionEventData>;

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

/** Failed sign-ins from one address. */
export interface FailedSource {
  readonly by: 'link' | 'password';
  readonly address?: string;
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

export interface AccessEventData {
  /** Unknown names are not stored: one may be a password entered in the wrong field. */
  readonly SignInFailed: SignInClient & {
    readonly by: FailedSource['by'];
    readonly memberId?: string;
    /** Failures in this hour. Older stores also hold the 40th, 80th, 160th and so on. */
    readonly count: number;
  };
  /** Those after the twentieth of an hour. */
  readonly SignInsFailed: {
    readonly memberId?: string;
    readonly sources: readonly FailedSource[];
    /** With those beyond a thousand in a minute, which are in no source. */
    readonly count: number;
  };
  readonly OperatorOpenedDocument: { readonly jobId: string };
  readonly OperatorReadStream: { readonly stream: string };
}

export type AccessEvent = EventsOf<AccessEventData>;
