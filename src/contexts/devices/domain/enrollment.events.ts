import type { Actor } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export interface EnrollmentCreated {
  readonly type: 'EnrollmentCreated';
  readonly data: {
    readonly enrollmentId: string;
    readonly accountId: string;
    /** SHA-256 of the whole token. */
    readonly hash: string;
    readonly expiresAt: Instant;
    readonly createdBy: Actor;
  };
}

/** The token is bound to one installation; its computer may not exist yet. */
export interface EnrollmentClaimed {
  readonly type: 'EnrollmentClaimed';
  readonly data: { readonly installationId: string; readonly computerId: string };
}

/** The computer exists, and the token is used. */
export interface EnrollmentCompleted {
  readonly type: 'EnrollmentCompleted';
  readonly data: { readonly computerId: string };
}

export type EnrollmentEvent = EnrollmentCreated | EnrollmentClaimed | EnrollmentCompleted;
