import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { EnrollmentCreated, EnrollmentEvent } from './enrollment.events.js';

/** Unknown, expired, used up or bound to another installation; the caller cannot tell which. */
export interface EnrollmentTokenInvalid {
  readonly code: 'EnrollmentTokenInvalid';
}

type EnrollmentOutcome = Outcome<unknown, EnrollmentEvent, EnrollmentTokenInvalid>;

/** A single-use token whose secret only the caller knows. Repeating it writes nothing. */
export class CreateEnrollment extends Command<EnrollmentOutcome> {
  readonly kind = 'CreateEnrollment';
  constructor(
    readonly enrollmentId: string,
    readonly token: Omit<EnrollmentCreated['data'], 'enrollmentId'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/**
 * Binds the token to an installation and the computer it gets. A redeem that broke off is taken up again by the same
 * installation: the state then says which computer it gets.
 */
export class ClaimEnrollment extends Command<EnrollmentOutcome> {
  readonly kind = 'ClaimEnrollment';
  constructor(
    readonly enrollmentId: string,
    readonly installationId: string,
    readonly computerId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The claiming computer is stored: the token is used up. */
export class CompleteEnrollment extends Command<EnrollmentOutcome> {
  readonly kind = 'CompleteEnrollment';
  constructor(
    readonly enrollmentId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type EnrollmentCommand = CreateEnrollment | ClaimEnrollment | CompleteEnrollment;
