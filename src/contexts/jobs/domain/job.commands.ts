import { Command, type Outcome, type RejectionOf } from '../../../kernel/command.js';
import type { Decision } from '../../../kernel/decider.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { AgentCommand } from './job.agent-commands.js';
import type { JobDescription, JobEvent, Succession } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';
import type { Job } from './job.state.js';

export * from './job.agent-commands.js';

/** A new job; its content is already stored. Repeating it writes nothing. */
export class CreateJob extends Command<Outcome<Job, JobEvent, never>> {
  readonly kind = 'CreateJob';
  constructor(
    readonly jobId: string,
    /** Without `expiresAt` the job lives as long as the policy says. */
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

/** The lease was not renewed in time. */
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

/** A new session of the agent does not name the lease. */
export class VoidLease extends Command<JobOutcome> {
  readonly kind = 'VoidLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    /** The sessions before the new one: leases of others stand. */
    readonly replaced: readonly string[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent accepted, did not hand off, and was not heard of for the grace. */
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

/** Nobody said that the spooler has the document. */
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

/** Nobody said what the spooler did with the document. */
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

/** The time of the automatic retry after attempt `fence` has come. */
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

/** The same, and nobody prints for its account any more: it comes back to the queue and ends there. */
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

/** A person wants it printed again. */
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
    /** `account_closed` when the account is closed. */
    readonly reason: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The store was restored or went back in time: the job may have been printed since, so a person decides. */
export class ParkRestoredJob extends Command<JobOutcome> {
  readonly kind = 'ParkRestoredJob';
  constructor(
    readonly jobId: string,
    /** Time of the backup; undefined when it is unknown because the store went back in time unannounced. */
    readonly backupAt: Instant | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** `provenBy` is not the restart of `permitSession`: its proof that nothing was printed is in doubt. */
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

/** The content has outlived its job. */
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

/** A decision on a command: it may be refused for the reasons that the command's result names, and no others. */
export type JobDecision<C extends JobCommand> = Decision<JobEvent, RejectionOf<C>>;
