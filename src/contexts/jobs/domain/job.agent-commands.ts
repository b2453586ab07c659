import { command } from '../../../kernel/command.js';
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
export class ReleaseLease extends command('ReleaseLease')<
  { jobId: string; computerId: string; session: CallingSession; leaseId: string },
  JobOutcome<'LeaseLost' | 'LeaseNotReleasable'>
> {}

/** The journal of a new session names a lease; without `touched` it was not handed to the spooler. */
export class ReconcileLease extends command('ReconcileLease')<
  {
    jobId: string;
    computerId: string;
    sessionId: string;
    /** Earlier sessions: this one takes leases over from no other. */
    replaced: readonly string[];
    named: LeaseRef & { readonly touched: boolean };
  },
  JobOutcome
> {}

/** The agent holds verified content. After its expiry the job expires instead: check the resulting status. */
export class AcceptJob extends command('AcceptJob')<
  {
    jobId: string;
    computerId: string;
    session: CallingSession;
    leaseId: string;
    fence: number;
    contentHash: string;
  },
  JobOutcome<'LeaseLost' | 'JobExpired' | 'ContentMismatch'>
> {}

/** Requests the permit to use the spooler. After its expiry the job expires instead, as with `AcceptJob`. */
export class StartHandoff extends command('StartHandoff')<
  { jobId: string; computerId: string; session: CallingSession; leaseId: string; fence: number },
  JobOutcome<'LeaseLost' | 'JobExpired' | 'JobNotAccepted'>
> {}

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
export class ReportProgress extends command('ReportProgress')<
  {
    jobId: string;
    computerId: string;
    session: CallingSession;
    leaseId: string;
    fence: number;
    report: AgentReport;
  },
  JobOutcome<'LeaseLost' | 'LateResultNotKept'>
> {}

/** The agent requested the document, but the service cannot deliver it: it is missing or damaged. */
export class ContentLost extends command('ContentLost')<
  { jobId: string; computerId: string; reason: 'missing' | 'damaged' },
  JobOutcome
> {}

export type AgentCommand =
  ReleaseLease | ReconcileLease | AcceptJob | StartHandoff | ReportProgress | ContentLost;
