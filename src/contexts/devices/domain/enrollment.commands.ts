import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { EnrollmentCreated } from './enrollment.events.js';

/** A single-use token whose secret only the caller knows. Repeating it writes nothing. */
export class CreateEnrollment {
  readonly kind = 'CreateEnrollment';
  constructor(
    readonly enrollmentId: string,
    readonly token: Omit<EnrollmentCreated['data'], 'enrollmentId'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/**
 * Binds the token to an installation and the computer it gets. A redeem that broke off is taken up again by the same
 * installation: the state then says which computer it gets.
 */
export class ClaimEnrollment {
  readonly kind = 'ClaimEnrollment';
  constructor(
    readonly enrollmentId: string,
    readonly installationId: string,
    readonly computerId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The claiming computer is stored: the token is used up. */
export class CompleteEnrollment {
  readonly kind = 'CompleteEnrollment';
  constructor(
    readonly enrollmentId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type EnrollmentCommand = CreateEnrollment | ClaimEnrollment | CompleteEnrollment;
