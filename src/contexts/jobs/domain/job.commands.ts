import { Command, type Outcome, type RejectionOf } from '../../../kernel/command.js';
import type { Decision } from '../../../kernel/decider.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { AgentCommand } from './job.agent-commands.js';
import type { JobDescription, JobEvent, Succession } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';
import type { Job } from './job.state.js';

export * from './job.agent-commands.js';

/** Creates a job whose content is already stored. Repeating it writes nothing. */
export class CreateJob extends Command<Outcome<Job, JobEvent, never>> {
  readonly kind = 'CreateJob';
  constructor(
    readonly jobId: string,
    /** If absent, the policy sets the lifetime. */
    readonly job: JobDescription & { readonly expiresAt?: Instant },
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Gives a queued job to the session of the printer's computer. */
export class GrantLease extends Command<JobOutcome<'JobNotQueued' | 'JobExpired' | 'JobNotGrantableYet'>> {
  readonly kind = 'GrantLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly computerId: string,
    readonly sessionId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Ends a lease that was not renewed in time. */
export class ExpireLease extends Command<JobOutcome> {
  readonly kind = 'ExpireLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Ends a lease that the agent's new session does not name. */
export class VoidLease extends Command<JobOutcome> {
  readonly kind = 'VoidLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    /** Earlier sessions: leases of other sessions stay valid. */
    readonly replaced: readonly string[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent accepted, did not hand off, and was silent for the grace. */
export class AgentGone extends Command<JobOutcome> {
  readonly kind = 'AgentGone';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Parks a handed-off job whose Agent reported nothing for the hand-off grace. */
export class HandoffSilence extends Command<JobOutcome> {
  readonly kind = 'HandoffSilence';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The Agent has not reported the spooler's result in time. */
export class SpoolSilence extends Command<JobOutcome> {
  readonly kind = 'SpoolSilence';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Starts the automatic retry after attempt `fence`. */
export class RequeueForRetry extends Command<JobOutcome> {
  readonly kind = 'RequeueForRetry';
  constructor(
    readonly jobId: string,
    readonly fence: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Like `RequeueForRetry`, for a closed account: cancels the job instead. */
export class EndRetry extends Command<JobOutcome> {
  readonly kind = 'EndRetry';
  constructor(
    readonly jobId: string,
    readonly fence: number,
    readonly reason: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** An operator or client requests another print. */
export class RetryJob extends Command<JobOutcome<'JobNotRetryable' | 'RetryDuplicationRisk'>> {
  readonly kind = 'RetryJob';
  constructor(
    readonly jobId: string,
    readonly reason: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class ExpireJob extends Command<JobOutcome> {
  readonly kind = 'ExpireJob';
  constructor(
    readonly jobId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class CancelJob extends Command<JobOutcome<'JobNotCancellable'>> {
  readonly kind = 'CancelJob';
  constructor(
    readonly jobId: string,
    /** `account_closed` if the account is closed. */
    readonly reason: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/**
 * Parks a job of a store that was restored or rolled back: it may have been printed since, so an operator
 * decides.
 */
export class ParkRestoredJob extends Command<JobOutcome> {
  readonly kind = 'ParkRestoredJob';
  constructor(
    readonly jobId: string,
    /** Time of the backup; undefined if the store was rolled back without a record. */
    readonly backupAt: Instant | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The session that proved "not printed" does not follow the session of the permit, so the proof is doubtful. */
export class SuspectClone extends Command<JobOutcome> {
  readonly kind = 'SuspectClone';
  constructor(
    readonly jobId: string,
    readonly succession: Succession,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Records the deletion of content at the end of its retention. */
export class PurgeContent extends Command<JobOutcome> {
  readonly kind = 'PurgeContent';
  constructor(
    readonly jobId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type JobCommand =
  | AgentCommand
  | CreateJob
  | GrantLease
  | ExpireLease
  | VoidLease
  | AgentGone
  | HandoffSilence
  | SpoolSilence
  | RequeueForRetry
  | EndRetry
  | RetryJob
  | ExpireJob
  | CancelJob
  | ParkRestoredJob
  | SuspectClone
  | PurgeContent;

/** A decision on a command: rejected only for the reasons that the command's result names. */
export type JobDecision<C extends JobCommand> = Decision<JobEvent, RejectionOf<C>>;
