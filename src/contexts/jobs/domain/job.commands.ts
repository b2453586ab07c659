import { type Outcome, command, type RejectionOf } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type {
  JobEvent,
  JobStatus,
  FailureClass,
  LeaseRef,
  ReportType,
  SpoolerEvidence,
  JobDescription,
  PrinterRef,
  Succession,
} from './job.events.js';
import type { Job } from './job.state.js';
import type { Receipt } from './print-options.js';
import type { Decision } from '../../../kernel/decider.js';

export type JobRejection =
  /** Includes jobs of other computers. */
  | { readonly code: 'JobNotFound' }
  | { readonly code: 'JobNotQueued'; readonly status: JobStatus }
  | { readonly code: 'JobNotGrantableYet'; readonly until: Instant }
  /** The agent would print without the options of the job. */
  | { readonly code: 'OptionsNotTaken' }
  | { readonly code: 'LeaseLost' }
  /** Already accepted: report `not_submitted` instead. */
  | { readonly code: 'LeaseNotReleasable' }
  | { readonly code: 'JobExpired' }
  | { readonly code: 'ContentMismatch' }
  | { readonly code: 'JobNotAccepted' }
  | { readonly code: 'LateResultNotKept' }
  | { readonly code: 'JobNotCancellable'; readonly status: JobStatus }
  | { readonly code: 'JobNotRetryable'; readonly status: JobStatus }
  | { readonly code: 'RetryDuplicationRisk'; readonly status: JobStatus }
  | { readonly code: 'TooManyReprints' }
  | { readonly code: 'JobNotMovable' };

export type JobOutcome<Code extends JobRejection['code'] = 'JobNotFound'> = Outcome<
  Job,
  JobEvent,
  Extract<JobRejection, { code: Code | 'JobNotFound' }>
>;

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

/** Precondition: the content is stored. */
export class CreateJob extends command('CreateJob')<
  {
    jobId: string;
    /** Defaults to the lifetime of the policy. */
    job: JobDescription & { readonly expiresAt?: Instant };
  },
  Outcome<Job, JobEvent, never>
> {}

export class GrantLease extends command('GrantLease')<
  {
    jobId: string;
    leaseId: string;
    /** In whose queue the job was found; it may have been moved since. */
    printerId: string;
    computerId: string;
    sessionId: string;
    /** The session knows options; absent: it does not. */
    takesOptions?: boolean;
  },
  JobOutcome<'JobNotQueued' | 'JobExpired' | 'JobNotGrantableYet' | 'OptionsNotTaken'>
> {}

export class ExpireLease extends command('ExpireLease')<{ jobId: string; leaseId: string }, JobOutcome> {}

export class VoidLease extends command('VoidLease')<
  {
    jobId: string;
    leaseId: string;
    /** Earlier sessions: leases of other sessions stay valid. */
    replaced: readonly string[];
  },
  JobOutcome
> {}

/** No hand-off, and the agent was silent for the grace. */
export class AgentGone extends command('AgentGone')<{ jobId: string; leaseId: string }, JobOutcome> {}

/** No report for the hand-off grace: parks the job. */
export class HandoffSilence extends command('HandoffSilence')<
  { jobId: string; leaseId: string },
  JobOutcome
> {}

export class SpoolSilence extends command('SpoolSilence')<{ jobId: string; leaseId: string }, JobOutcome> {}

export class RequeueForRetry extends command('RequeueForRetry')<
  { jobId: string; fence: number },
  JobOutcome
> {}

/** Cancels the job of a closed account instead of retrying it. */
export class EndRetry extends command('EndRetry')<
  { jobId: string; fence: number; reason: string },
  JobOutcome
> {}

export class RetryJob extends command('RetryJob')<
  { jobId: string; reason?: string },
  JobOutcome<'JobNotRetryable' | 'RetryDuplicationRisk'>
> {}

export class ExpireJob extends command('ExpireJob')<{ jobId: string }, JobOutcome> {}

export class CancelJob extends command('CancelJob')<
  {
    jobId: string;
    /** `account_closed` if the account is closed. */
    reason?: string;
    /** Set to clear the queue of this printer: also ends a scheduled retry, and no job of another printer. */
    queueOf?: string;
  },
  JobOutcome<'JobNotCancellable'>
> {}

/** The job may have been printed after the backup, so an operator decides. */
export class ParkRestoredJob extends command('ParkRestoredJob')<
  {
    jobId: string;
    /** Undefined if the store was rolled back without a record. */
    backupAt?: Instant;
  },
  JobOutcome
> {}

/** The session that proved "not printed" does not succeed the session of the permit. */
export class SuspectClone extends command('SuspectClone')<
  { jobId: string; succession: Succession },
  JobOutcome
> {}

export class PurgeContent extends command('PurgeContent')<{ jobId: string }, JobOutcome> {}

export class ArchiveJob extends command('ArchiveJob')<{ jobId: string }, JobOutcome> {}

/** To a printer that can print it, from one for which it waits. */
export class MoveJob extends command('MoveJob')<
  { jobId: string; fromPrinterId: string; to: PrinterRef },
  JobOutcome<'JobNotMovable'>
> {}

/** Names the new job in the stream of the one whose document it prints; the same one again writes nothing. */
export class NoteReprint extends command('NoteReprint')<
  { jobId: string; reprintId: string },
  JobOutcome<'TooManyReprints'>
> {}

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
  | PurgeContent
  | ArchiveJob
  | NoteReprint
  | MoveJob;

export type JobDecision<C extends JobCommand> = Decision<JobEvent, RejectionOf<C>>;
