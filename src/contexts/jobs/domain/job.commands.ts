import { command, type Outcome, type RejectionOf } from '../../../kernel/command.js';
import type { Decision } from '../../../kernel/decider.js';
import type { Instant } from '../../../kernel/time.js';
import type { AgentCommand } from './job.agent-commands.js';
import type { JobDescription, JobEvent, PrinterRef, Succession } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';
import type { Job } from './job.state.js';

export * from './job.agent-commands.js';

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
  | NoteReprint
  | MoveJob;

export type JobDecision<C extends JobCommand> = Decision<JobEvent, RejectionOf<C>>;
