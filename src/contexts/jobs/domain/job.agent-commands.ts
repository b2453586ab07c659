import { Command } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { FailureClass, LeaseRef, ReportType, SpoolerEvidence } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';

/** The agent session of a call, from the computer's stream. */
export interface CallingSession {
  /** Undefined while the computer has no session: the call then has no right to any lease. */
  readonly sessionId: string | undefined;
  /** Undefined for a session stored by an older release. */
  readonly startedAt: Instant | undefined;
  /** Sessions that it succeeded by restarts only: they have not called since. */
  readonly predecessors: readonly string[];
}

/** Releases a job that the agent has not started. */
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
    /** Earlier sessions: this one takes leases over from no other. */
    readonly replaced: readonly string[],
    readonly named: LeaseRef & { readonly touched: boolean },
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The agent holds verified content. After its expiry the job expires instead: check the resulting status. */
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

/** Requests the permit to use the spooler. After its expiry the job expires instead, as with `AcceptJob`. */
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

/** What the agent observed. */
export interface AgentReport extends SpoolerEvidence {
  /** The agent's `event_id`, unchanged in repeats. */
  readonly id: string;
  readonly type: ReportType;
  /** Time on the agent's clock, which may be wrong. */
  readonly occurredAt?: Instant;
  readonly failureCode?: string;
  readonly failureClass?: FailureClass;
  /** At most 240 characters. */
  readonly message?: string;
}

/** Reports on an attempt; `reportResult` returns its effect. */
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

/** The agent requested the document, but the service cannot deliver it: it is missing or damaged. */
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
