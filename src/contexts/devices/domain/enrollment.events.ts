import type { Actor } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export interface EnrollmentCreated {
  readonly type: 'EnrollmentCreated';
  readonly data: {
    readonly enrollmentId: string;
    readonly accountId: string;
    readonly hash: string;
    readonly expiresAt: Instant;
    readonly createdBy: Actor;
  };
}

export interface EnrollmentClaimed {
  readonly type: 'EnrollmentClaimed';
  readonly data: { readonly installationId: string; readonly computerId: string };
}

export interface EnrollmentCompleted {
  readonly type: 'EnrollmentCompleted';
  readonly data: { readonly computerId: string };
}

export type EnrollmentEvent = EnrollmentCreated | EnrollmentClaimed | EnrollmentCompleted;
