import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { EnrollmentCreated, EnrollmentEvent } from './enrollment.events.js';

/** Unknown, expired, used or bound to another installation; the caller cannot tell these apart. */
export interface EnrollmentTokenInvalid {
  readonly code: 'EnrollmentTokenInvalid';
}

type EnrollmentOutcome = Outcome<unknown, EnrollmentEvent, EnrollmentTokenInvalid>;

/** Creates a single-use token whose secret only the caller knows. Repeating it writes nothing. */
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
 * Binds the token to an installation and a computer. The same installation can repeat an interrupted enrolment;
 * the state names its computer.
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

/** The computer is stored: marks the token as used. */
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
