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

export interface SessionOpened {
  readonly type: 'SessionOpened';
  readonly data: {
    readonly sessionId: string;
    /** SHA-256 of the whole secret. */
    readonly hash: string;
    readonly user: SessionUser;
    readonly signedInBy: 'link' | 'password';
    readonly openedAt: Instant;
  };
}

/** Its user signed out. */
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
