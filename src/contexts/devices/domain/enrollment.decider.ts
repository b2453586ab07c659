import { command, type Outcome } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import type { EnrollmentEventData, EnrollmentEvent } from './enrollment.events.js';

/** Unknown, expired, used or bound elsewhere; indistinguishable to the caller. */
export interface EnrollmentTokenInvalid {
  readonly code: 'EnrollmentTokenInvalid';
}

type EnrollmentOutcome = Outcome<unknown, EnrollmentEvent, EnrollmentTokenInvalid>;

export class CreateEnrollment extends command('CreateEnrollment')<
  { enrollmentId: string; token: Omit<EnrollmentEventData['EnrollmentCreated'], 'enrollmentId'> },
  EnrollmentOutcome
> {}

/** Binds the token to an installation, which can repeat an interrupted enrolment. */
export class ClaimEnrollment extends command('ClaimEnrollment')<
  { enrollmentId: string; installationId: string; computerId: string },
  EnrollmentOutcome
> {}

export class CompleteEnrollment extends command('CompleteEnrollment')<
  { enrollmentId: string },
  EnrollmentOutcome
> {}

export type EnrollmentCommand = CreateEnrollment | ClaimEnrollment | CompleteEnrollment;

interface Token {
  readonly accountId: string;
  readonly hash: string;
  readonly expiresAt: Instant;
}

interface Bound extends Token {
  readonly installationId: string;
  readonly computerId: string;
}

export type Enrollment =
  | { readonly status: 'absent' }
  | (Token & { readonly status: 'open' })
  | (Bound & { readonly status: 'claimed' | 'completed' });

type EnrollmentDecision = Decision<EnrollmentEvent, EnrollmentTokenInvalid>;

export const enrollmentDecider: Decider<
  Enrollment,
  EnrollmentCommand,
  EnrollmentEvent,
  EnrollmentTokenInvalid
> = {
  initialState: { status: 'absent' },

  decide(enrollment, command) {
    switch (command.kind) {
      case 'CreateEnrollment': {
        if (enrollment.status !== 'absent') return accept();
        const data = { enrollmentId: command.enrollmentId, ...command.token };
        return accept({ type: 'EnrollmentCreated', data });
      }
      case 'ClaimEnrollment':
        return claim(enrollment, command);
      case 'CompleteEnrollment':
        return complete(enrollment);
    }
  },

  evolve(enrollment, event) {
    switch (event.type) {
      case 'EnrollmentCreated': {
        const { accountId, hash, expiresAt } = event.data;
        return { status: 'open', accountId, hash, expiresAt };
      }
      case 'EnrollmentClaimed':
        return enrollment.status === 'open'
          ? { ...enrollment, status: 'claimed', ...event.data }
          : enrollment;
      case 'EnrollmentCompleted':
        return enrollment.status === 'claimed' ? { ...enrollment, status: 'completed' } : enrollment;
    }
  },
};

function claim(
  enrollment: Enrollment,
  { installationId, computerId, at }: ClaimEnrollment,
): EnrollmentDecision {
  const alive = 'expiresAt' in enrollment && at < enrollment.expiresAt;
  if (!alive) return reject({ code: 'EnrollmentTokenInvalid' });
  switch (enrollment.status) {
    case 'open':
      return accept<EnrollmentEvent>({ type: 'EnrollmentClaimed', data: { installationId, computerId } });
    case 'claimed':
      if (enrollment.installationId === installationId) return accept();
      return reject({ code: 'EnrollmentTokenInvalid' });
    case 'completed':
      return reject({ code: 'EnrollmentTokenInvalid' });
  }
}

function complete(enrollment: Enrollment): EnrollmentDecision {
  switch (enrollment.status) {
    case 'claimed': {
      const { computerId } = enrollment;
      return accept<EnrollmentEvent>({ type: 'EnrollmentCompleted', data: { computerId } });
    }
    case 'completed':
      return accept();
    default:
      return reject({ code: 'EnrollmentTokenInvalid' });
  }
}
