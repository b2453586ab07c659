import type { Actor, EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export interface EnrollmentEventData {
  readonly EnrollmentCreated: {
    readonly enrollmentId: string;
    readonly accountId: string;
    readonly hash: string;
    readonly expiresAt: Instant;
    readonly createdBy: Actor;
  };
  readonly EnrollmentClaimed: { readonly installationId: string; readonly computerId: string };
  readonly EnrollmentCompleted: { readonly computerId: string };
}

export type EnrollmentEvent = EventsOf<EnrollmentEventData>;
