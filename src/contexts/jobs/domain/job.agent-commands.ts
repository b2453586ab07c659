import { command } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type { FailureClass, LeaseRef, ReportType, SpoolerEvidence } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';
import type { Receipt } from './print-options.js';

export interface CallingSession {
  /** Undefined: the call has no right to any lease. */
  readonly sessionId: string | undefined;
  readonly startedAt: Instant | undefined;
  /** Sessions that it succeeded by restarts only: they have not called since. */
  readonly predecessors: readonly string[];
}

export class ReleaseLease extends command('ReleaseLease')<
  { jobId: string; computerId: string; session: CallingSession; leaseId: string },
  JobOutcome<'LeaseLost' | 'LeaseNotReleasable'>
> {}

/** Without `touched`, the leased job was not handed to the spooler. */
export class ReconcileLease extends command('ReconcileLease')<
  {
    jobId: string;
    computerId: string;
    sessionId: string;
    /** Earlier sessions; leases of other sessions stay where they are. */
    replaced: readonly string[];
    named: LeaseRef & { readonly touched: boolean };
  },
  JobOutcome
> {}

/** Precondition: verified content. After its expiry the job expires instead: check the resulting status. */
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

/** Requests the permit to use the spooler. Expires the job as `AcceptJob` does. */
export class StartHandoff extends command('StartHandoff')<
  { jobId: string; computerId: string; session: CallingSession; leaseId: string; fence: number },
  JobOutcome<'LeaseLost' | 'JobExpired' | 'JobNotAccepted'>
> {}

export interface AgentReport extends SpoolerEvidence {
  /** The agent's `event_id`, unchanged in repeats. */
  readonly id: string;
  readonly type: ReportType;
  /** Agent's time, which may be wrong. */
  readonly occurredAt?: Instant;
  readonly failureCode?: string;
  readonly failureClass?: FailureClass;
  /** At most 240 characters. */
  readonly message?: string;
  readonly receipt?: Receipt;
}

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

export class ContentLost extends command('ContentLost')<
  { jobId: string; computerId: string; reason: 'missing' | 'damaged' },
  JobOutcome
> {}

export type AgentCommand =
  ReleaseLease | ReconcileLease | AcceptJob | StartHandoff | ReportProgress | ContentLost;
