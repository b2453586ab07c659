import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { AgentCommand } from './job.agent-commands.js';
import type { JobDescription, Succession } from './job.events.js';

export * from './job.agent-commands.js';

/** A new job; its content is already stored. Repeating it writes nothing. */
export class CreateJob {
  readonly kind = 'CreateJob';
  constructor(
    readonly jobId: string,
    /** Without `expiresAt` the job lives as long as the policy says. */
    readonly job: JobDescription & { readonly expiresAt?: Instant },
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Gives a queued job to the session of the printer's computer. */
export class GrantLease {
  readonly kind = 'GrantLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly computerId: string,
    readonly sessionId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The lease was not renewed in time. */
export class ExpireLease {
  readonly kind = 'ExpireLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** A new session of the agent does not name the lease. */
export class VoidLease {
  readonly kind = 'VoidLease';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    /** The sessions before the new one: leases of others stand. */
    readonly replaced: readonly string[],
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The agent accepted, did not hand off, and was not heard of for the grace. */
export class AgentGone {
  readonly kind = 'AgentGone';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Nobody said that the spooler has the document. */
export class HandoffSilence {
  readonly kind = 'HandoffSilence';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Nobody said what the spooler did with the document. */
export class SpoolSilence {
  readonly kind = 'SpoolSilence';
  constructor(
    readonly jobId: string,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The time of the automatic retry after attempt `fence` has come. */
export class RequeueForRetry {
  readonly kind = 'RequeueForRetry';
  constructor(
    readonly jobId: string,
    readonly fence: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The same, and nobody prints for its account any more: it comes back to the queue and ends there. */
export class EndRetry {
  readonly kind = 'EndRetry';
  constructor(
    readonly jobId: string,
    readonly fence: number,
    readonly reason: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** A person wants it printed again. */
export class RetryJob {
  readonly kind = 'RetryJob';
  constructor(
    readonly jobId: string,
    readonly reason: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class ExpireJob {
  readonly kind = 'ExpireJob';
  constructor(
    readonly jobId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class CancelJob {
  readonly kind = 'CancelJob';
  constructor(
    readonly jobId: string,
    /** `account_closed` when the account is closed. */
    readonly reason: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The store was restored or went back in time: the job may have been printed since, so a person decides. */
export class ParkRestoredJob {
  readonly kind = 'ParkRestoredJob';
  constructor(
    readonly jobId: string,
    /** Time of the backup; undefined when it is unknown because the store went back in time unannounced. */
    readonly backupAt: Instant | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** `provenBy` is not the restart of `permitSession`: its proof that nothing was printed is in doubt. */
export class SuspectClone {
  readonly kind = 'SuspectClone';
  constructor(
    readonly jobId: string,
    readonly succession: Succession,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The content has outlived its job. */
export class PurgeContent {
  readonly kind = 'PurgeContent';
  constructor(
    readonly jobId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
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
