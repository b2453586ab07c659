import type { Instant, Milliseconds } from '../../../kernel/time.js';

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
export type JobSource = 'integration' | 'partner' | 'test';
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

/** One lease. `fence` grows by one with every lease of a job, so a report tells by it which attempt it speaks of. */
export interface LeaseRef {
  readonly leaseId: string;
  readonly fence: number;
}

/** What the spooler is called and what it calls the job: evidence, not identity. */
export interface SpoolerEvidence {
  /** At most 64 characters. */
  readonly spoolerProvider?: string;
  /** At most 128 characters. */
  readonly spoolerJobId?: string;
}

/** Everything that identifies the job; never its content. */
export interface JobDescription {
  readonly accountId: string;
  readonly printerId: string;
  readonly printerCode: string;
  readonly printerName: string;
  readonly computerId: string;
  readonly computerName: string;
  readonly externalId?: string;
  readonly title?: string;
  readonly contentType: ContentType;
  /** SHA-256 of the decoded bytes, 64 lower-case hex characters. */
  readonly contentHash: string;
  readonly contentSizeBytes: number;
  readonly copies: number;
  readonly maxAutoRetries: number;
  readonly source: JobSource;
}

/** Revision 0 of every job; `JobQueued` follows in the same append. */
export type JobCreated = Event<'JobCreated', JobDescription & { jobId: string; expiresAt: Instant }>;
export type JobQueued = Event<'JobQueued'>;

export type JobLeased = Event<
  'JobLeased',
  LeaseRef & { computerId: string; sessionId: string; leaseUntil: Instant }
>;
/** The agent let the lease run out, or a new session of it knows nothing of it. Nothing was printed. */
export type LeaseLapsed = Event<
  'LeaseLapsed',
  LeaseRef & {
    reason: 'silence' | 'session_replaced';
    lapsesInARow: number;
    /** False when it was one lapse too many: `JobFailed` follows in the same append. */
    requeued: boolean;
  }
>;
/** The agent gave the job back untouched. */
export type LeaseReleased = Event<
  'LeaseReleased',
  LeaseRef & {
    /** After too many releases in a row: no lease is granted earlier. */
    notBefore?: Instant;
  }
>;
/** The journal of a new session names the lease: from here on it belongs to that session. */
export type LeaseKept = Event<'LeaseKept', LeaseRef & { sessionId: string }>;
/** The lease died because the job ends; what ended it follows in the same append. */
export type LeaseInvalidated = Event<'LeaseInvalidated', LeaseRef & { reason: 'cancelled' | 'expired' }>;
/** The agent holds verified content. */
export type JobAccepted = Event<
  'JobAccepted',
  LeaseRef & {
    /** Without a renewal of the lease the agent counts as gone from here. */
    graceUntil: Instant;
    /** However faithfully renewed, from here it counts as gone. */
    graceAtMost: Instant;
  }
>;
/** The agent may touch the spooler: from here on the document may have been printed. */
export type HandoffStarted = Event<
  'HandoffStarted',
  LeaseRef & {
    /** The session that the permit belongs to; absent on events stored before it was kept: then the lease's. */
    sessionId?: string;
    startedAt: Instant;
    silentAt: Instant;
  }
>;

/** The spooler has the document. `spooledAt` is the agent's word, kept between the hand-off and now. */
export type JobSpooled = Event<
  'JobSpooled',
  LeaseRef & SpoolerEvidence & { reportId: string; spooledAt: Instant; silentAt: Instant }
>;
/** The spooler is done; nobody says that paper came out. `completedAt` as `spooledAt`. */
export type JobCompleted = Event<
  'JobCompleted',
  LeaseRef & SpoolerEvidence & { reportId: string; completedAt: Instant; late?: true; contentUntil: Instant }
>;
/** A proof that rests on one session having succeeded another by restarts alone. */
export interface Succession {
  readonly permitSession: string;
  readonly provenBy: string;
}

/** Certain to be unprinted. */
export type JobFailed = Event<
  'JobFailed',
  LeaseRef & {
    reportId?: string;
    failureClass: 'temporary' | 'permanent';
    failureCode: string;
    message?: string;
    /** The job had been parked before the result came. */
    late?: true;
    /** Only when another session than that of the permit proved it. */
    succession?: Succession;
    /** `scheduled`: `RetryScheduled` follows in the same append. */
    retryState: 'none' | 'scheduled' | 'exhausted';
    nextAttemptAt?: Instant;
    /** Unchanged; a job with a retry to come still expires. */
    expiresAt: Instant;
    /** Only when no retry is scheduled: until then the content is kept. */
    contentUntil?: Instant;
  }
>;
export type RetryScheduled = Event<
  'RetryScheduled',
  {
    fence: number;
    nextAttemptAt: Instant;
    retryDelaySeconds: number;
    /** The retry rests on an older session being silent for so long; a start of the service counts it anew. */
    silenceMs?: Milliseconds;
  }
>;
/** Back in the queue, by itself or because a person asked. */
export type JobRequeued = Event<
  'JobRequeued',
  { cause: 'automatic' | 'manual'; retryCount: number; reason?: string; expiresAt: Instant }
>;
/** Why a job may have been printed without the service knowing. */
export type ReviewCode =
  | 'HANDOFF_UNCONFIRMED'
  | 'SPOOLER_VANISHED'
  | 'SPOOLER_ABORTED'
  | 'SPOOLER_SILENT'
  /** The store was restored from a backup or went back in time. */
  | 'RESTORED'
  /** The agent proved a hand-off that the service knows nothing of. */
  | 'UNEXPECTED_EVIDENCE'
  /** Two agents used one credential. */
  | 'CLONE_SUSPECTED';

/** It may have been printed: a person decides. A restored job may be parked that was never leased: then no lease is named. */
export type ManualReviewOpened = Event<
  'ManualReviewOpened',
  Partial<LeaseRef> &
    SpoolerEvidence & {
      reportId?: string;
      failureCode: ReviewCode;
      /** The agent's own code for it. */
      reportedCode?: string;
      message?: string;
      /** At least the review window from now. */
      expiresAt: Instant;
    }
>;

export type JobCancelled = Event<'JobCancelled', { reason?: string; contentUntil: Instant }>;
export type JobExpired = Event<'JobExpired', { contentUntil: Instant }>;
/** A result that finds no attempt to end: kept as evidence of a possible duplicate, changes nothing. */
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
  | ContentPurged;

/** The data of one event of the union, by its name. */
export type JobEventData<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>['data'];
