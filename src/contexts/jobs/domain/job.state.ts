import type { Instant } from '../../../kernel/time.js';
import type { JobEvent, JobEventData, JobStatus, LeaseRef } from './job.events.js';

/** The newest lease, also after its end: late reports are measured against it. */
export interface Lease extends LeaseRef {
  /** How far the agent got under it; `released` and `dead` leases give no right to anything. */
  readonly phase: 'leased' | 'accepted' | 'handed_off' | 'spooled' | 'released' | 'dead';
  readonly until: Instant;
  /** When the agent certainly last moved on after the hand-off: no report speaks of an earlier time. */
  readonly knownAt?: Instant;
}

export interface Job {
  readonly status: JobStatus | 'absent';
  readonly jobId: string;
  readonly accountId: string;
  readonly computerId: string;
  readonly contentHash: string;
  readonly contentAvailable: boolean;
  readonly expiresAt: Instant;
  readonly maxAutoRetries: number;
  /** Leases granted; the fence of the newest. */
  readonly attemptCount: number;
  readonly retryCount: number;
  readonly lapsesInARow: number;
  readonly lease?: Lease;
  /** Of the last failure, while the job is failed. */
  readonly failureClass?: 'temporary' | 'permanent';
  /** While an automatic retry is scheduled. */
  readonly nextAttemptAt?: Instant;
  /** Ids of the newest reports, oldest first. */
  readonly reportsSeen: readonly string[];
}

/** A lease brings a handful of reports; this remembers those of several attempts. */
const REPORTS_REMEMBERED = 32;

export const noJob: Job = {
  status: 'absent',
  jobId: '',
  accountId: '',
  computerId: '',
  contentHash: '',
  contentAvailable: false,
  expiresAt: '',
  maxAutoRetries: 0,
  attemptCount: 0,
  retryCount: 0,
  lapsesInARow: 0,
  reportsSeen: [],
};

type Moves = { readonly [T in JobEvent['type']]: (job: Job, data: JobEventData<T>) => Job };

const moves: Moves = {
  JobCreated: (_, data) => ({
    ...noJob,
    status: 'created',
    jobId: data.jobId,
    accountId: data.accountId,
    computerId: data.computerId,
    contentHash: data.contentHash,
    contentAvailable: true,
    expiresAt: data.expiresAt,
    maxAutoRetries: data.maxAutoRetries,
  }),
  JobQueued: (job) => ({ ...job, status: 'queued' }),
  JobLeased: (job, { leaseId, fence, leaseUntil }) => ({
    ...job,
    status: 'leased',
    attemptCount: fence,
    lease: { leaseId, fence, phase: 'leased', until: leaseUntil },
  }),
  LeaseLapsed: (job, { lapsesInARow, requeued }) => ({
    ...job,
    status: requeued ? 'queued' : job.status,
    lapsesInARow,
    lease: phase(job, 'dead'),
  }),
  LeaseReleased: (job) => ({ ...job, status: 'queued', lapsesInARow: 0, lease: phase(job, 'released') }),
  LeaseInvalidated: (job) => ({ ...job, lease: phase(job, 'dead') }),
  JobAccepted: (job) => ({
    ...job,
    status: 'accepted_by_agent',
    lapsesInARow: 0,
    lease: phase(job, 'accepted'),
  }),
  HandoffStarted: (job, { startedAt }) => ({ ...job, lease: phase(job, 'handed_off', startedAt) }),
  JobSpooled: (job, { spooledAt, reportId }) => ({
    ...job,
    status: 'sent_to_spooler',
    lease: phase(job, 'spooled', spooledAt),
    reportsSeen: remember(job, reportId),
  }),
  JobCompleted: (job, { reportId }) => ({
    ...job,
    status: 'spooler_completed',
    lease: phase(job, 'dead'),
    reportsSeen: remember(job, reportId),
  }),
  JobFailed: (job, { failureClass, nextAttemptAt, reportId }) => ({
    ...job,
    status: 'failed',
    failureClass,
    nextAttemptAt,
    lease: phase(job, 'dead'),
    reportsSeen: remember(job, reportId),
  }),
  RetryScheduled: (job) => job,
  JobRequeued: (job, { retryCount }) => ({
    ...job,
    status: 'queued',
    retryCount,
    lapsesInARow: 0,
    failureClass: undefined,
    nextAttemptAt: undefined,
    lease: phase(job, 'dead'),
  }),
  ManualReviewOpened: (job, { expiresAt, reportId }) => ({
    ...job,
    status: 'manual_review',
    expiresAt,
    reportsSeen: remember(job, reportId),
  }),
  JobCancelled: (job) => ({ ...job, status: 'cancelled' }),
  JobExpired: (job) => ({ ...job, status: 'expired', nextAttemptAt: undefined }),
  LateResultRecorded: (job, { reportId }) => ({ ...job, reportsSeen: remember(job, reportId) }),
  ContentPurged: (job) => ({ ...job, contentAvailable: false }),
};

export function evolve(job: Job, event: JobEvent): Job {
  const move = moves[event.type] as (job: Job, data: JobEvent['data']) => Job;
  return move(job, event.data);
}

function phase(job: Job, next: Lease['phase'], knownAt = job.lease?.knownAt): Lease | undefined {
  return job.lease && { ...job.lease, phase: next, knownAt };
}

function remember(job: Job, reportId: string | undefined): readonly string[] {
  if (reportId === undefined || job.reportsSeen.includes(reportId)) return job.reportsSeen;
  return [...job.reportsSeen.slice(1 - REPORTS_REMEMBERED), reportId];
}
