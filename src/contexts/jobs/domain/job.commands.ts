import { command, type Outcome, type RejectionOf } from '../../../kernel/command.js';
import type { Decision } from '../../../kernel/decider.js';
import type { Instant } from '../../../kernel/time.js';
import type { AgentCommand } from './job.agent-commands.js';
import type { JobDescription, JobEvent, Succession } from './job.events.js';
import type { JobOutcome } from './job.rejections.js';
import type { Job } from './job.state.js';

export * from './job.agent-commands.js';

/** Creates a job whose content is already stored. Repeating it writes nothing. */
export class CreateJob extends command('CreateJob')<
  {
    jobId: string;
    /** If absent, the policy sets the lifetime. */
    job: JobDescription & { readonly expiresAt?: Instant };
  },
  Outcome<Job, JobEvent, never>
> {}

/** Gives a queued job to the session of the printer's computer. */
export class GrantLease extends command('GrantLease')<
  { jobId: string; leaseId: string; computerId: string; sessionId: string },
  JobOutcome<'JobNotQueued' | 'JobExpired' | 'JobNotGrantableYet'>
> {}

/** Ends a lease that was not renewed in time. */
export class ExpireLease extends command('ExpireLease')<{ jobId: string; leaseId: string }, JobOutcome> {}

/** Ends a lease that the agent's new session does not name. */
export class VoidLease extends command('VoidLease')<
  {
    jobId: string;
    leaseId: string;
    /** Earlier sessions: leases of other sessions stay valid. */
    replaced: readonly string[];
  },
  JobOutcome
> {}

/** The agent accepted, did not hand off, and was silent for the grace. */
export class AgentGone extends command('AgentGone')<{ jobId: string; leaseId: string }, JobOutcome> {}

/** Parks a handed-off job whose Agent reported nothing for the hand-off grace. */
export class HandoffSilence extends command('HandoffSilence')<
  { jobId: string; leaseId: string },
  JobOutcome
> {}

/** The Agent has not reported the spooler's result in time. */
export class SpoolSilence extends command('SpoolSilence')<{ jobId: string; leaseId: string }, JobOutcome> {}

/** Starts the automatic retry after attempt `fence`. */
export class RequeueForRetry extends command('RequeueForRetry')<
  { jobId: string; fence: number },
  JobOutcome
> {}

/** Like `RequeueForRetry`, for a closed account: cancels the job instead. */
export class EndRetry extends command('EndRetry')<
  { jobId: string; fence: number; reason: string },
  JobOutcome
> {}

/** An operator or client requests another print. */
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
  },
  JobOutcome<'JobNotCancellable'>
> {}

/**
 * Parks a job of a store that was restored or rolled back: it may have been printed since, so an operator
 * decides.
 */
export class ParkRestoredJob extends command('ParkRestoredJob')<
  {
    jobId: string;
    /** Time of the backup; undefined if the store was rolled back without a record. */
    backupAt?: Instant;
  },
  JobOutcome
> {}

/** The session that proved "not printed" does not follow the session of the permit, so the proof is doubtful. */
export class SuspectClone extends command('SuspectClone')<
  { jobId: string; succession: Succession },
  JobOutcome
> {}

/** Records the deletion of content at the end of its retention. */
export class PurgeContent extends command('PurgeContent')<{ jobId: string }, JobOutcome> {}

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
