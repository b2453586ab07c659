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

type Event<T extends string, D extends object = Record<string, never>> = {
  readonly type: T;
  readonly data: Readonly<D>;
};

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

/** Revision 0 of every job; `JobQueued` follows in the same append. */
export type JobCreated = Event<'JobCreated', JobDescription & { jobId: string; expiresAt: Instant }>;
export type JobQueued = Event<'JobQueued'>;

export type JobLeased = Event<
  'JobLeased',
  LeaseRef & { computerId: string; sessionId: string; leaseUntil: Instant }
>;
/** Not renewed in time, or unknown to the agent's new session. Nothing was printed. */
export type LeaseLapsed = Event<
  'LeaseLapsed',
  LeaseRef & {
    reason: 'silence' | 'session_replaced';
    lapsesInARow: number;
    /** False after one lapse too many: `JobFailed` follows in the same append. */
    requeued: boolean;
  }
>;
export type LeaseReleased = Event<
  'LeaseReleased',
  LeaseRef & {
    /** Set after too many releases in a row: no lease before this time. */
    notBefore?: Instant;
  }
>;
/** The journal of a new session names the lease and takes it over. */
export type LeaseKept = Event<'LeaseKept', LeaseRef & { sessionId: string }>;
/** The event that ends or moves the job follows in the same append. */
export type LeaseInvalidated = Event<
  'LeaseInvalidated',
  LeaseRef & { reason: 'cancelled' | 'expired' | 'moved' }
>;
export type JobAccepted = Event<
  'JobAccepted',
  LeaseRef & {
    /** The agent counts as gone from this time on, unless it renews the lease. */
    graceUntil: Instant;
    /** Upper limit of `graceUntil`, despite renewals. */
    graceAtMost: Instant;
  }
>;
/** The document may be printed from now on. */
export type HandoffStarted = Event<
  'HandoffStarted',
  LeaseRef & {
    /** Session of the permit; absent in older events, which use the lease's. */
    sessionId?: string;
    startedAt: Instant;
    silentAt: Instant;
  }
>;

/** `spooledAt` is the agent's time, limited to the range from the hand-off to now. */
export type JobSpooled = Event<
  'JobSpooled',
  LeaseRef & SpoolerEvidence & { reportId: string; spooledAt: Instant; silentAt: Instant; receipt?: Receipt }
>;
/** The spooler is done, which proves no printed page. `completedAt` is limited as `spooledAt`. */
export type JobCompleted = Event<
  'JobCompleted',
  LeaseRef & SpoolerEvidence & { reportId: string; completedAt: Instant; late?: true; contentUntil: Instant }
>;
/** A proof that relies on succession by restarts only. */
export interface Succession {
  readonly permitSession: string;
  readonly provenBy: string;
}

/** Certainly unprinted. */
export type JobFailed = Event<
  'JobFailed',
  LeaseRef & {
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
  }
>;
export type RetryScheduled = Event<
  'RetryScheduled',
  {
    fence: number;
    nextAttemptAt: Instant;
    retryDelaySeconds: number;
    /** Required silence of the older session; a start of the service restarts the wait. */
    silenceMs?: Milliseconds;
  }
>;
export type JobRequeued = Event<
  'JobRequeued',
  { cause: 'automatic' | 'manual'; retryCount: number; reason?: string; expiresAt: Instant }
>;
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

/** An operator decides. Names no lease if a restored job was never leased. */
export type ManualReviewOpened = Event<
  'ManualReviewOpened',
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

export type JobCancelled = Event<'JobCancelled', { reason?: string; contentUntil: Instant }>;
export type JobExpired = Event<'JobExpired', { contentUntil: Instant }>;
/** Evidence of a possible duplicate; changes nothing. */
export type LateResultRecorded = Event<
  'LateResultRecorded',
  LeaseRef &
    SpoolerEvidence & {
      reportId: string;
      report: ReportType;
      occurredAt?: Instant;
      failureCode?: string;
      failureClass?: FailureClass;
      message?: string;
    }
>;
export type ContentPurged = Event<'ContentPurged'>;
/** A new job prints the document again; changes nothing of this one. */
export type JobReprinted = Event<'JobReprinted', { reprintId: string }>;

export interface PrinterRef {
  readonly printerId: string;
  readonly printerCode: string;
  readonly printerName: string;
  readonly computerId: string;
  readonly computerName: string;
}
/** It waits for another printer of the account. */
export type JobMoved = Event<'JobMoved', PrinterRef & { fromPrinterId: string; fromComputerId: string }>;

export type JobEvent =
  | JobCreated
  | JobQueued
  | JobLeased
  | LeaseLapsed
  | LeaseReleased
  | LeaseKept
  | LeaseInvalidated
  | JobAccepted
  | HandoffStarted
  | JobSpooled
  | JobCompleted
  | JobFailed
  | RetryScheduled
  | JobRequeued
  | ManualReviewOpened
  | JobCancelled
  | JobExpired
  | LateResultRecorded
  | ContentPurged
  | JobReprinted
  | JobMoved;

export type JobEventData<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>['data'];
