import type { Instant } from '../../../kernel/time.js';
import type { JobEvent, JobEventData, JobStatus, LeaseRef, Succession } from './job.events.js';
import type { PrintOptions } from './print-options.js';

/** Kept after its end, because late reports are compared with it. */
export interface Lease extends LeaseRef {
  /** `released` and `dead` leases allow nothing. */
  readonly phase: 'leased' | 'accepted' | 'handed_off' | 'spooled' | 'released' | 'dead';
  readonly until: Instant;
  readonly sessionId?: string;
  readonly permitSessionId?: string;
  /** Earliest possible time of a report: the last known progress after the hand-off. */
  readonly knownAt?: Instant;
}

export interface Job {
  readonly status: JobStatus | 'absent';
  readonly jobId: string;
  readonly accountId: string;
  readonly computerId: string;
  readonly printerId: string;
  readonly contentHash: string;
  readonly contentAvailable: boolean;
  readonly isArchived: boolean;
  readonly options?: PrintOptions;
  readonly expiresAt: Instant;
  readonly maxAutoRetries: number;
  /** Highest fence in a grant, a report or the journal of an agent. */
  readonly attemptCount: number;
  readonly retryCount: number;
  readonly lapsesInARow: number;
  readonly releasesInARow: number;
  readonly notBefore?: Instant;
  readonly retriedByPerson: boolean;
  readonly lease?: Lease;
  readonly failureClass?: 'temporary' | 'permanent';
  readonly nextAttemptAt?: Instant;
  /** Set if the scheduled retry relies on a proof by another session than the permit's. */
  readonly succession?: Succession;
  readonly lateResults: number;
  /** Oldest first. */
  readonly reportsSeen: readonly string[];
  readonly moves: number;
  /** Computers of printers that it was moved from; their late reports still count. */
  readonly formerComputers: readonly string[];
  /** Jobs that print its document again. */
  readonly reprints: readonly string[];
}

/** A lease has a few reports; this covers several attempts. */
const REPORTS_REMEMBERED = 32;

export const noJob: Job = {
  status: 'absent',
  jobId: '',
  accountId: '',
  computerId: '',
  printerId: '',
  contentHash: '',
  contentAvailable: false,
  isArchived: false,
  expiresAt: '',
  maxAutoRetries: 0,
  attemptCount: 0,
  retryCount: 0,
  lapsesInARow: 0,
  releasesInARow: 0,
  retriedByPerson: false,
  lateResults: 0,
  reportsSeen: [],
  moves: 0,
  formerComputers: [],
  reprints: [],
};

const noFailure = { failureClass: undefined, nextAttemptAt: undefined, succession: undefined } as const;

type Moves = { readonly [T in JobEvent['type']]: (job: Job, data: JobEventData[T]) => Job };

const moves: Moves = {
  JobCreated: (_, data) => ({
    ...noJob,
    status: 'created',
    jobId: data.jobId,
    accountId: data.accountId,
    computerId: data.computerId,
    printerId: data.printerId,
    contentHash: data.contentHash,
    contentAvailable: true,
    options: data.options,
    expiresAt: data.expiresAt,
    maxAutoRetries: data.maxAutoRetries,
  }),
  JobQueued: (job) => ({ ...job, status: 'queued' }),
  JobLeased: (job, { leaseId, fence, leaseUntil, sessionId }) => ({
    ...job,
    status: 'leased',
    attemptCount: fence,
    notBefore: undefined,
    retriedByPerson: false,
    lease: { leaseId, fence, phase: 'leased', until: leaseUntil, sessionId },
  }),
  LeaseLapsed: (job, { lapsesInARow, requeued }) => ({
    ...job,
    status: requeued ? 'queued' : job.status,
    lapsesInARow,
    releasesInARow: 0,
    lease: phase(job, 'dead'),
  }),
  LeaseReleased: (job, { notBefore }) => ({
    ...job,
    status: 'queued',
    lapsesInARow: 0,
    releasesInARow: job.releasesInARow + 1,
    notBefore,
    lease: phase(job, 'released'),
  }),
  LeaseKept: (job, { sessionId }) => ({ ...job, lease: job.lease && { ...job.lease, sessionId } }),
  LeaseInvalidated: (job) => ({ ...job, lease: phase(job, 'dead') }),
  JobAccepted: (job) => ({
    ...job,
    status: 'accepted_by_agent',
    lapsesInARow: 0,
    releasesInARow: 0,
    lease: phase(job, 'accepted'),
  }),
  HandoffStarted: (job, { startedAt, sessionId }) => ({
    ...job,
    lease: permitted(phase(job, 'handed_off', startedAt), sessionId),
  }),
  JobSpooled: (job, { spooledAt, reportId }) => ({
    ...job,
    status: 'sent_to_spooler',
    lease: phase(job, 'spooled', spooledAt),
    reportsSeen: remember(job, reportId),
  }),
  JobCompleted: (job, { reportId, fence }) => ({
    ...job,
    status: 'spooler_completed',
    attemptCount: Math.max(job.attemptCount, fence),
    ...noFailure,
    lease: phase(job, 'dead'),
    reportsSeen: remember(job, reportId),
  }),
  JobFailed: (job, { failureClass, nextAttemptAt, succession, reportId }) => ({
    ...job,
    status: 'failed',
    failureClass,
    nextAttemptAt,
    succession,
    lease: phase(job, 'dead'),
    reportsSeen: remember(job, reportId),
  }),
  RetryScheduled: (job) => job,
  JobRequeued: (job, { retryCount, cause }) => ({
    ...job,
    status: 'queued',
    retryCount,
    lapsesInARow: 0,
    releasesInARow: 0,
    notBefore: undefined,
    retriedByPerson: cause === 'manual',
    ...noFailure,
    lease: phase(job, 'dead'),
  }),
  ManualReviewOpened: (job, data) => ({
    ...job,
    status: 'manual_review',
    expiresAt: data.expiresAt,
    attemptCount: Math.max(job.attemptCount, data.fence ?? 0),
    ...noFailure,
    lease: leaseInDoubt(job, data),
    reportsSeen: remember(job, data.reportId),
  }),
  JobCancelled: (job) => ({ ...job, status: 'cancelled' }),
  JobExpired: (job) => ({ ...job, status: 'expired', nextAttemptAt: undefined }),
  LateResultRecorded: (job, { reportId }) => ({
    ...job,
    lateResults: job.lateResults + 1,
    reportsSeen: remember(job, reportId),
  }),
  ContentPurged: (job) => ({ ...job, contentAvailable: false }),
  JobArchived: (job) => ({ ...job, isArchived: true }),
  JobMoved: (job, { printerId, computerId, fromComputerId }) => ({
    ...job,
    printerId,
    computerId,
    formerComputers: [...new Set([...job.formerComputers, fromComputerId])],
    moves: job.moves + 1,
    status: 'queued',
    lapsesInARow: 0,
    releasesInARow: 0,
    notBefore: undefined,
  }),
  JobReprinted: (job, { reprintId }) => ({ ...job, reprints: [...job.reprints, reprintId] }),
};

/** Of the printer for which it waits, or of one before. */
export function isOrWasOf({ computerId, formerComputers }: Job, computer: string): boolean {
  return computer === computerId || formerComputers.includes(computer);
}

export function evolve(job: Job, event: JobEvent): Job {
  const move = moves[event.type] as (job: Job, data: JobEvent['data']) => Job;
  return move(job, event.data);
}

function phase(job: Job, next: Lease['phase'], knownAt = job.lease?.knownAt): Lease | undefined {
  return job.lease && { ...job.lease, phase: next, knownAt };
}

/** Older events lack the session of the permit: it was the lease's. */
function permitted(lease: Lease | undefined, sessionId = lease?.sessionId): Lease | undefined {
  return lease && { ...lease, permitSessionId: sessionId };
}

/** Doubts about a document that was at the spooler. */
const AT_THE_SPOOLER: ReadonlySet<string> = new Set<JobEventData['ManualReviewOpened']['failureCode']>([
  'UNEXPECTED_EVIDENCE',
  'SPOOLER_ABORTED',
  'SPOOLER_VANISHED',
]);

/** The spooler phase prevents a later proof of the opposite. */
function leaseInDoubt(
  { lease }: Job,
  { failureCode, leaseId, fence }: JobEventData['ManualReviewOpened'],
): Lease | undefined {
  if (!AT_THE_SPOOLER.has(failureCode) || leaseId === undefined || fence === undefined) return lease;
  if (lease?.leaseId === leaseId) return { ...lease, phase: 'spooled' };
  return { leaseId, fence, phase: 'spooled', until: '' };
}

function remember(job: Job, reportId: string | undefined): readonly string[] {
  if (reportId === undefined || job.reportsSeen.includes(reportId)) return job.reportsSeen;
  return [...job.reportsSeen.slice(1 - REPORTS_REMEMBERED), reportId];
}
