import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { FailureClass, JobDescription, ReportType, SpoolerEvidence } from './job.events.js';

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

/** The agent gives the job back untouched. */
export class ReleaseLease {
  readonly kind = 'ReleaseLease';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
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
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The agent holds verified content. Past the expiry the job expires instead: look at the status that comes of it. */
export class AcceptJob {
  readonly kind = 'AcceptJob';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly leaseId: string,
    readonly fence: number,
    readonly contentHash: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The agent asks for the permit to touch the spooler. Past the expiry as with `AcceptJob`. */
export class StartHandoff {
  readonly kind = 'StartHandoff';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly leaseId: string,
    readonly fence: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** What the agent saw happen. */
export interface AgentReport extends SpoolerEvidence {
  /** The agent's `event_id`: the same over repeats. */
  readonly id: string;
  readonly type: ReportType;
  /** By the agent's clock, which may be wrong. */
  readonly occurredAt?: Instant;
  readonly failureCode?: string;
  readonly failureClass?: FailureClass;
  /** At most 240 characters. */
  readonly message?: string;
}

/** A report on an attempt; `reportResult` tells what became of it. */
export class ReportProgress {
  readonly kind = 'ReportProgress';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly leaseId: string,
    readonly fence: number,
    readonly report: AgentReport,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** The agent asked for the document, and it is certain that the service has none. */
export class ContentLost {
  readonly kind = 'ContentLost';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
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
  | CreateJob
  | GrantLease
  | ExpireLease
  | ReleaseLease
  | VoidLease
  | AcceptJob
  | StartHandoff
  | ReportProgress
  | ContentLost
  | AgentGone
  | HandoffSilence
  | SpoolSilence
  | RequeueForRetry
  | EndRetry
  | RetryJob
  | ExpireJob
  | CancelJob
  | PurgeContent;
