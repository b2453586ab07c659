import { Command } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { FailureClass, LeaseRef, ReportType, SpoolerEvidence } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';

/** The agent session that a call counts for, as the computer's stream has it. */
export interface CallingSession {
  /** Undefined while the computer has no session: then the call has no right to any lease. */
  readonly sessionId: string | undefined;
  /** Undefined for a session stored before the time was kept. */
  readonly startedAt: Instant | undefined;
  /** Sessions that it succeeded by restarts alone: they have not called since. */
  readonly predecessors: readonly string[];
}

/** The agent gives the job back untouched. */
export class ReleaseLease extends Command<JobOutcome<'LeaseLost' | 'LeaseNotReleasable'>> {
  readonly kind = 'ReleaseLease';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly session: CallingSession,
    readonly leaseId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The journal of a new session names a lease; without `touched` it was not handed to the spooler. */
export class ReconcileLease extends Command<JobOutcome> {
  readonly kind = 'ReconcileLease';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly sessionId: string,
    /** The sessions before this one: it takes leases over from no other. */
    readonly replaced: readonly string[],
    readonly named: LeaseRef & { readonly touched: boolean },
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent holds verified content. Past the expiry the job expires instead: look at the status that comes of it. */
export class AcceptJob extends Command<JobOutcome<'LeaseLost' | 'JobExpired' | 'ContentMismatch'>> {
  readonly kind = 'AcceptJob';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly session: CallingSession,
    readonly leaseId: string,
    readonly fence: number,
    readonly contentHash: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent asks for the permit to touch the spooler. Past the expiry as with `AcceptJob`. */
export class StartHandoff extends Command<JobOutcome<'LeaseLost' | 'JobExpired' | 'JobNotAccepted'>> {
  readonly kind = 'StartHandoff';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly session: CallingSession,
    readonly leaseId: string,
    readonly fence: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
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
export class ReportProgress extends Command<JobOutcome<'LeaseLost' | 'LateResultNotKept'>> {
  readonly kind = 'ReportProgress';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly session: CallingSession,
    readonly leaseId: string,
    readonly fence: number,
    readonly report: AgentReport,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent asked for the document, and the service certainly cannot deliver it: it is gone, or not as it was sent. */
export class ContentLost extends Command<JobOutcome> {
  readonly kind = 'ContentLost';
  constructor(
    readonly jobId: string,
    readonly computerId: string,
    readonly reason: 'missing' | 'damaged',
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type AgentCommand =
  ReleaseLease | ReconcileLease | AcceptJob | StartHandoff | ReportProgress | ContentLost;
