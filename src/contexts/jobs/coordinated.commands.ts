import { command, type CommandResult, type Refused, type RejectionOf } from '../../kernel/command.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { SettleAccount } from '../accounts/index.js';
import type { ContentType, JobSource } from './domain/job.events.js';
import type { RetryJob } from './domain/job.commands.js';
import type { QueuedJob } from './ports.js';
import type { JournalEntry, Verdict } from './reconcile.js';

/** A client's validated print request. */
export interface JobDraft {
  readonly accountId: string;
  /** Scopes idempotency keys: the Integration and Partner APIs of one account have separate ones. */
  readonly source: JobSource;
  readonly printerId: string;
  readonly contentType: ContentType;
  readonly content: Uint8Array;
  /** SHA-256 of the decoded bytes, lower-case hex. */
  readonly contentHash: string;
  readonly copies: number;
  readonly externalId?: string;
  readonly title?: string;
  /** Present if the client gave one. */
  readonly expiresAt?: Instant;
}

/** Creates a job exactly once per idempotency key; a test print has none. */
export class SubmitJob extends command('SubmitJob')<
  { draft: JobDraft; idempotencyKey: string | undefined },
  Submitted
> {}

export type SubmitRejection =
  | { readonly code: 'IdempotencyConflict' }
  /** In the future, at most 30 days away. */
  | { readonly code: 'ExpiryOutOfRange' }
  | { readonly code: 'ContentTooLarge'; readonly maxBytes: number }
  | { readonly code: 'PlanLimitReached'; readonly jobsPerMonth: number }
  | { readonly code: 'AccountClosed' }
  | { readonly code: 'PrinterNotFound' }
  | { readonly code: 'VirtualPrintersOnly' }
  | { readonly code: 'PrinterNotReady' }
  | { readonly code: 'ContentTypeNotSupported' };

export type Submitted =
  | {
      readonly ok: true;
      readonly jobId: string;
      readonly replayed: boolean;
      /** All of a new job. */
      readonly events?: readonly RecordedEvent[];
    }
  | { readonly ok: false; readonly rejection: SubmitRejection };

/** Retries a job manually, exactly once per idempotency key. */
export class SubmitRetry extends command('SubmitRetry')<
  { accountId: string; jobId: string; reason?: string; idempotencyKey: string },
  RetrySubmitted
> {}

export type RetrySubmitted =
  | { readonly ok: true; readonly replayed: boolean }
  | Refused<RejectionOf<RetryJob> | { readonly code: 'IdempotencyConflict' }>;

/** Jobs leased or accepted and not yet handed off count against both (docs/agent-protocol.md). */
export const MAX_LEASES = 64;
export const MAX_LEASES_PER_PRINTER = 4;

/** Leases work to the current session of a computer: its ready printers in turn, oldest job first per printer. */
export class LeaseJobs extends command('LeaseJobs')<
  {
    computerId: string;
    sessionId: string;
    max: number;
    /** Keys of the printers that get nothing now. */
    busy: readonly string[];
  },
  Granted
> {}

export interface Granted {
  readonly leases: readonly GrantedLease[];
  /** When the first of the jobs skipped for too many releases may be leased. */
  readonly lookAgainAt?: Instant;
  /** A limit left out a ready printer, so the end of a lease may allow another one. */
  readonly full?: boolean;
}

export interface GrantedLease {
  readonly leaseId: string;
  readonly fence: number;
  readonly leaseUntil: Instant;
  readonly job: QueuedJob;
  /** The agent's own key of the printer. */
  readonly printerKey: string;
  /** Events stored by the grant. */
  readonly events: readonly RecordedEvent[];
}

/** A new session of an agent names the leases it still holds; all others become void at once. */
export class ReconcileSession extends command('ReconcileSession')<
  { computerId: string; sessionId: string; journal: readonly JournalEntry[] },
  readonly Reconciled[]
> {}

export interface Reconciled {
  readonly job_id: string;
  readonly fence: number;
  readonly verdict: Verdict;
}

/** A replaced session of the computer is still running: parks the jobs whose retry relies on its silence. */
export class SuspectClones extends command('SuspectClones')<{ computerId: string }, void> {}

/** Revokes the computers of a closed account, and ends all jobs that no agent has accepted. */
export class EndJobsOfAccount extends command('EndJobsOfAccount')<
  { accountId: string },
  CommandResult<SettleAccount>
> {}

/** Parks every active job of a store restored from a backup for a manual decision. */
export class ParkRestoredJobs extends command('ParkRestoredJobs')<
  { backupAt: Instant },
  RestoredJobsParked
> {}

export interface RestoredJobsParked {
  /** Number of jobs parked by this command; a repeat after a crash counts only the remaining ones. */
  readonly parked: number;
}

/** Requeues every job that a restore parked before the given time. */
export class ReleaseRestoredJobs extends command('ReleaseRestoredJobs')<
  {
    /** Exclusive. */
    parkedBefore: Instant;
  },
  RestoredJobsReleased
> {}

export interface RestoredJobsReleased {
  readonly released: number;
  /** Jobs that can no longer be printed: expired, without document, or of a closed account. */
  readonly skipped: number;
}
