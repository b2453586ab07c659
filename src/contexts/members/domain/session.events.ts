import type { Actor } from '../../../kernel/recorded-event.js';
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

export interface SessionOpened {
  readonly type: 'SessionOpened';
  readonly data: SignInClient & {
    readonly sessionId: string;
    readonly hash: string;
    readonly user: SessionUser;
    readonly signedInBy: 'link' | 'password';
    readonly openedAt: Instant;
    readonly linkBy?: Actor;
  };
}

/** By signing out or in again, in the list of sessions, or because there were too many. */
export interface SessionEnded {
  readonly type: 'SessionEnded';
  readonly data: Record<string, never>;
}

export interface DocumentOpened {
  readonly type: 'DocumentOpened';
  readonly data: { readonly jobId: string };
}

/** An operator sees an account as its viewers do, until `endsAt` at the latest. */
export interface AccountVisited {
  readonly type: 'AccountVisited';
  readonly data: SignInClient & { readonly accountId: string; readonly endsAt: Instant };
}

/** Before the visit's time was over. */
export interface AccountLeft {
  readonly type: 'AccountLeft';
  readonly data: { readonly accountId: string };
}

export type SessionEvent = SessionOpened | SessionEnded | DocumentOpened | AccountVisited | AccountLeft;
