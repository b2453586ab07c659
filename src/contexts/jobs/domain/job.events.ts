import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../../kernel/time.js';
import type { PrintOptions, Receipt } from './print-options.js';
export type { PrintOptions, Receipt };

/** In the order of a job's life. */
export const JOB_STATUSES = [
  'created',
  'queued',
  'leased',
  'accepted_by_agent',
  'sent_to_spooler',
  'spooler_completed',
  'failed',
  'manual_review',
  'cancelled',
  'expired',
] as const;
export const CONTENT_TYPES = ['pdf', 'raw', 'text'] as const;
export const FAILURE_CLASSES = ['temporary', 'permanent', 'ambiguous'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];
export type ContentType = (typeof CONTENT_TYPES)[number];
export type FailureClass = (typeof FAILURE_CLASSES)[number];
export type JobSource = 'integration' | 'partner' | 'operator' | 'test';
export type ReportType =
  | 'spooled'
  | 'spooler_completed'
  | 'spooler_failed'
  | 'spooler_cancelled'
  | 'spooler_vanished'
  | 'not_submitted'
  | 'rejected';

/** `fence` grows by one with every lease of a job, so a report identifies its attempt. */
export interface LeaseRef {
  readonly leaseId: string;
  readonly fence: number;
}

/** Evidence, not identity. */
export interface SpoolerEvidence {
  /** At most 64 characters. */
  readonly spoolerProvider?: string;
  /** At most 128 characters. */
  readonly spoolerJobId?: string;
}

export interface JobDescription extends PrinterRef {
  readonly accountId: string;
  readonly externalId?: string;
  readonly title?: string;
  readonly contentType: ContentType;
  /** SHA-256 of the decoded bytes, 64 lower-case hex characters. */
  readonly contentHash: string;
  readonly contentSizeBytes: number;
  readonly copies: number;
  /** Present if the client gave some. */
  readonly options?: PrintOptions;
  readonly maxAutoRetries: number;
  readonly source: JobSource;
  /** The job whose kept document it prints again. */
  readonly reprintOf?: string;
}

/** A proof that relies on succession by restarts only. */
export interface Succession {
  readonly permitSession: string;
  readonly provenBy: string;
}

/** Reasons why a job may have been printed without the service's knowledge. */
export type ReviewCode =
  | 'HANDOFF_UNCONFIRMED'
  | 'SPOOLER_VANISHED'
  | 'SPOOLER_ABORTED'
  | 'SPOOLER_SILENT'
  | 'RESTORED'
  /** Proof of a hand-off unknown to the service. */
  | 'UNEXPECTED_EVIDENCE'
  /** Two agents used one credential. */
  | 'CLONE_SUSPECTED';

export interface PrinterRef {
  readonly printerId: string;
  readonly printerCode: string;
  readonly printerName: string;
  readonly computerId: string;
  readonly computerName: string;
}

type OfLease<D extends object> = Readonly<LeaseRef & D>;

export interface JobEventData {
  /** Revision 0 of every job; `JobQueued` follows in the same append. */
  readonly JobCreated: Readonly<JobDescription & { jobId: string; expiresAt: Instant }>;
  readonly JobQueued: Record<string, never>;
  readonly JobLeased: OfLease<{ computerId: string; sessionId: string; leaseUntil: Instant }>;
  /** Not renewed in time, or unknown to the agent's new session. Nothing was printed. */
  readonly LeaseLapsed: OfLease<{
    reason: 'silence' | 'session_replaced';
    lapsesInARow: number;
    /** False after one lapse too many: `JobFailed` follows in the same append. */
    requeued: boolean;
  }>;
  readonly LeaseReleased: OfLease<{
    /** Set after too many releases in a row: no lease before this time. */
    notBefore?: Instant;
  }>;
  /** The journal of a new session names the lease and takes it over. */
  readonly LeaseKept: OfLease<{ sessionId: string }>;
  /** The event that ends or moves the job follows in the same append. */
  readonly LeaseInvalidated: OfLease<{ reason: 'cancelled' | 'expired' | 'moved' }>;
  readonly JobAccepted: OfLease<{
    /** The agent counts as gone from this time on, unless it renews the lease. */
    graceUntil: Instant;
    /** Upper limit of `graceUntil`, despite renewals. */
    graceAtMost: Instant;
  }>;
  /** The document may be printed from now on. */
  readonly HandoffStarted: OfLease<{
    /** Session of the permit; absent in older events, which use the lease's. */
    sessionId?: string;
    startedAt: Instant;
    silentAt: Instant;
  }>;
  /** `spooledAt` is the agent's time, limited to the range from the hand-off to now. */
  readonly JobSpooled: OfLease<
    SpoolerEvidence & { reportId: string; spooledAt: Instant; silentAt: Instant; receipt?: Receipt }
  >;
  /** The spooler is done, which proves no printed page. `completedAt` is limited as `spooledAt`. */
  readonly JobCompleted: OfLease<
    SpoolerEvidence & { reportId: string; completedAt: Instant; late?: true; contentUntil: Instant }
  >;
  /** Certainly unprinted. */
  readonly JobFailed: OfLease<{
    reportId?: string;
    failureClass: 'temporary' | 'permanent';
    failureCode: string;
    message?: string;
    /** The job was parked before the result arrived. */
    late?: true;
    /** Present if a session other than that of the permit proved it. */
    succession?: Succession;
    /** `scheduled`: `RetryScheduled` follows in the same append. */
    retryState: 'none' | 'scheduled' | 'exhausted';
    nextAttemptAt?: Instant;
    /** Unchanged; a job with a scheduled retry still expires. */
    expiresAt: Instant;
    /** Present if no retry is scheduled; otherwise the content is kept. */
    contentUntil?: Instant;
  }>;
  readonly RetryScheduled: Readonly<{
    fence: number;
    nextAttemptAt: Instant;
    retryDelaySeconds: number;
    /** Required silence of the older session; a start of the service restarts the wait. */
    silenceMs?: Milliseconds;
  }>;
  readonly JobRequeued: Readonly<{
    cause: 'automatic' | 'manual';
    retryCount: number;
    reason?: string;
    expiresAt: Instant;
  }>;
  /** An operator decides. Names no lease if a restored job was never leased. */
  readonly ManualReviewOpened: Readonly<
    Partial<LeaseRef> &
      SpoolerEvidence & {
        reportId?: string;
        failureCode: ReviewCode;
        reportedCode?: string;
        message?: string;
        /** Not before the end of the review window. */
        expiresAt: Instant;
      }
  >;
  readonly JobCancelled: Readonly<{ reason?: string; contentUntil: Instant }>;
  readonly JobExpired: Readonly<{ contentUntil: Instant }>;
  /** Evidence of a possible duplicate; changes nothing. */
  readonly LateResultRecorded: OfLease<
    SpoolerEvidence & {
      reportId: string;
      report: ReportType;
      occurredAt?: Instant;
      failureCode?: string;
      failureClass?: FailureClass;
      message?: string;
    }
  >;
  readonly ContentPurged: Record<string, never>;
  /** Out of the read models: lists and counts no longer show it. Changes nothing of the job. */
  readonly JobArchived: Record<string, never>;
  /** A new job prints the document again; changes nothing of this one. */
  readonly JobReprinted: Readonly<{ reprintId: string }>;
  /** It waits for another printer of the account. */
  readonly JobMoved: Readonly<PrinterRef & { fromPrinterId: string; fromComputerId: string }>;
}

export type JobEvent = EventsOf<JobEventData>;
