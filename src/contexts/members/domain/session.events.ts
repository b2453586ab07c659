import type { Actor } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

/** The person of a session; `generation` is that of the member's sessions at the sign-in. */
export type SessionUser =
  | {
      readonly kind: 'member';
      readonly accountId: string;
      readonly memberId: string;
      readonly generation: number;
    }
  | { readonly kind: 'operator'; readonly name: string };

/** Where a sign-in came from. Sessions of earlier releases have none. */
export interface SignInClient {
  /** As the socket or a trusted proxy names it. */
  readonly address?: string;
  readonly userAgent?: string;
}

export interface SessionOpened {
  readonly type: 'SessionOpened';
  readonly data: SignInClient & {
    readonly sessionId: string;
    /** SHA-256 of the whole secret. */
    readonly hash: string;
    readonly user: SessionUser;
    readonly signedInBy: 'link' | 'password';
    readonly openedAt: Instant;
    /** Maker of the link of the sign-in, if it was another person. */
    readonly linkBy?: Actor;
  };
}

/** Its user signed out or in again, ended it in the list of sessions, or has too many. */
export interface SessionEnded {
  readonly type: 'SessionEnded';
  readonly data: Record<string, never>;
}

/** Its user was given the document of a job. */
export interface DocumentOpened {
  readonly type: 'DocumentOpened';
  readonly data: { readonly jobId: string };
}

export type SessionEvent = SessionOpened | SessionEnded | DocumentOpened;
