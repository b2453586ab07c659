import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

/** An enrolment token without its secret. */
export interface EnrollmentDocument {
  readonly enrollment_id: string;
  readonly account_id: string;
  /** May have expired; compare with the current time. */
  readonly status: 'open' | 'claimed' | 'completed';
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly computer_id?: string;
  /** SHA-256 of the whole token; for authentication, never shown. */
  readonly hash: string;
}

export const enrollmentsView: ViewDefinition = {
  name: 'enrollments',
  version: 1,
  indexes: [{ fields: ['account_id'] }],
};
