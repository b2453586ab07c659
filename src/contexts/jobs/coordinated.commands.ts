import { command, type CommandResult, type Refused, type RejectionOf } from '../../kernel/command.js';
import type { CreationPosition, RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { SettleAccount } from '../accounts/index.js';
import type { TextSettings } from '../devices/index.js';
import type { ContentType, JobSource } from './domain/job.events.js';
import type { RetryJob } from './domain/job.commands.js';
import type { PrintOptions, UnsupportedOption } from './domain/print-options.js';
import type { QueuedJob } from './ports.js';

export interface JobDraft {
  readonly accountId: string;
  /** Scopes idempotency keys: the Integration and Partner APIs of one account have separate ones. */
  readonly source: JobSource;
  readonly printerId: string;
  readonly contentType: ContentType;
  readonly content: Uint8Array | KeptContent;
  /** SHA-256 of the decoded bytes, lower-case hex. */
  readonly contentHash: string;
  readonly copies: number;
  /** At least one, in the order of their names. */
  readonly options?: PrintOptions;
  readonly externalId?: string;
  readonly title?: string;
  readonly expiresAt?: Instant;
}

/** The document of another job, which is read once the new one may be created. */
export interface KeptContent {
  readonly byteLength: number;
  /** Undefined if it is no longer kept. */
  read(): Promise<Uint8Array | undefined>;
}

/** Exactly once per idempotency key; a test print has none. */
export class SubmitJob extends command('SubmitJob')<
  { draft: JobDraft; idempotencyKey: string | undefined },
  Submitted
> {}

/** At most 100 jobs of one account, each as `SubmitJob`; stored for each printer in the order of the list. */
export class SubmitJobs extends command('SubmitJobs')<
  { accountId: string; jobs: readonly { readonly draft: JobDraft; readonly idempotencyKey: string }[] },
  readonly Submitted[]
> {}

/** A new job with the document of another one of the account; exactly once per idempotency key. */
export class SubmitReprint extends command('SubmitReprint')<
  {
    draft: JobDraft & { readonly content: KeptContent };
    idempotencyKey: string;
    reprint: Reprint;
  },
  Submitted<ReprintRejection>
> {}

export interface Reprint {
  readonly jobId: string;
  /** As the client named it; absent: that of the job. */
  readonly printerId?: string;
}

export type ReprintRejection =
  | SubmitRejection
  | { readonly code: 'ContentNotKept' }
  /** The job names as many as it can. */
  | { readonly code: 'TooManyReprints' };

export type SubmitRejection =
  | { readonly code: 'IdempotencyConflict' }
  | { readonly code: 'ExpiryOutOfRange' }
  | { readonly code: 'ContentTooLarge'; readonly maxBytes: number }
  | { readonly code: 'PlanLimitReached'; readonly jobsPerMonth: number }
  | { readonly code: 'AccountClosed' }
  | { readonly code: 'PrinterNotFound' }
  | { readonly code: 'VirtualPrintersOnly' }
  | { readonly code: 'PrinterNotReady' }
  | { readonly code: 'ContentTypeNotSupported' }
  /** The session of the printer's computer knows no options. */
  | { readonly code: 'AgentTooOld' }
  | { readonly code: 'OptionNotSupported'; readonly unsupported: readonly UnsupportedOption[] };

export type Submitted<Rejection = SubmitRejection> =
  | {
      readonly ok: true;
      readonly jobId: string;
      readonly replayed: boolean;
      readonly events?: readonly RecordedEvent[];
    }
  | { readonly ok: false; readonly rejection: Rejection };

/** A part of the jobs that wait for a printer, oldest first; the rest is another command, with `next`. */
interface QueueStep {
  readonly accountId: string;
  readonly printerId: string;
  /** Jobs created later stay. */
  readonly createdUntil: Instant;
  /** `next` of the step before. */
  readonly after?: CreationPosition;
}

export interface QueueStepped {
  readonly ok: true;
  /** Cancelled, or moved. */
  readonly done: number;
  /** An Agent took them meanwhile, or they fit no more. */
  readonly left: number;
  /** Undefined after the last step. */
  readonly next?: CreationPosition;
}

/** Cancels what certainly was not handed off. */
export class ClearQueue extends command('ClearQueue')<QueueStep, QueueStepped> {}

/** Moves what certainly was not handed off, and what the other printer can print. */
export class MoveQueue extends command('MoveQueue')<
  QueueStep & { toPrinterId: string },
  QueueStepped | Refused<{ readonly code: 'PrinterNotFound' | 'VirtualPrintersOnly' | 'PrinterNotReady' }>
> {}

export class SubmitRetry extends command('SubmitRetry')<
  { accountId: string; jobId: string; reason?: string; idempotencyKey: string },
  RetrySubmitted
> {}

export type RetrySubmitted =
  | { readonly ok: true; readonly replayed: boolean }
  | Refused<RejectionOf<RetryJob> | { readonly code: 'IdempotencyConflict' }>;

/** Leased or accepted jobs without hand-off count against both (docs/agent-protocol.md). */
export const MAX_LEASES = 64;
export const MAX_LEASES_PER_PRINTER = 4;

/** Round robin over the ready printers, oldest job first. */
export class LeaseJobs extends command('LeaseJobs')<
  {
    computerId: string;
    sessionId: string;
    max: number;
    busy: readonly string[];
    /** Grants nothing: the answer says in `hasWork` whether a job waits. */
    isLook?: boolean;
  },
  Granted
> {}

export interface Granted {
  readonly leases: readonly GrantedLease[];
  /** Earliest lease of a job skipped for too many releases. */
  readonly lookAgainAt?: Instant;
  /** A limit excluded a ready printer, so the end of a lease may allow another. */
  readonly full?: boolean;
  /** The session is no longer the current one. */
  readonly replaced?: boolean;
  readonly hasWork?: boolean;
}

export interface GrantedLease {
  readonly leaseId: string;
  readonly fence: number;
  readonly leaseUntil: Instant;
  readonly job: QueuedJob;
  readonly printerKey: string;
  /** Of text documents, for sessions that know it. */
  readonly text?: TextSettings;
  readonly events: readonly RecordedEvent[];
}

/** A line of an agent's journal (docs/agent-protocol.md). */
export interface JournalEntry {
  readonly job_id: string;
  readonly lease_id: string;
  readonly fence: number;
  readonly phase: 'leased' | 'accepted' | 'handing_off' | 'handed_off';
}

/** continue = same fence, new expiry; report = report the outcome; abandon = superseded; forget = unknown. */
export type Verdict = 'continue' | 'report' | 'abandon' | 'forget';

export class ReconcileSession extends command('ReconcileSession')<
  { computerId: string; sessionId: string; journal: readonly JournalEntry[] },
  readonly Reconciled[]
> {}

export interface Reconciled {
  readonly job_id: string;
  readonly fence: number;
  readonly verdict: Verdict;
}

/** A replaced session still calls: parks the jobs whose retry relies on its silence. */
export class SuspectClones extends command('SuspectClones')<{ computerId: string }, void> {}

/** Revokes the computers of a closed account and cancels all jobs that no agent has accepted. */
export class EndJobsOfAccount extends command('EndJobsOfAccount')<
  { accountId: string },
  CommandResult<SettleAccount>
> {}

export class ParkRestoredJobs extends command('ParkRestoredJobs')<
  { backupAt: Instant },
  RestoredJobsParked
> {}

export interface RestoredJobsParked {
  /** A repeat after a crash counts only the remaining jobs. */
  readonly parked: number;
}

export class ReleaseRestoredJobs extends command('ReleaseRestoredJobs')<
  {
    /** Exclusive. */
    parkedBefore: Instant;
  },
  RestoredJobsReleased
> {}

export interface RestoredJobsReleased {
  readonly released: number;
  /** Expired, without document, or of a closed account. */
  readonly skipped: number;
}
