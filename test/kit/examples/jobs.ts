import * as jobs from '../../../src/contexts/jobs/domain/job.commands.js';
import type {
  JobDescription,
  JobEvent,
  PrinterRef,
  ReportType,
} from '../../../src/contexts/jobs/domain/job.events.js';
import type { Origin } from '../../../src/kernel/recorded-event.js';
import { plus, type Instant } from '../../../src/kernel/time.js';
import { NOON } from '../recorded.js';

/** Examples use the default policy and happen at noon unless stated otherwise. */
export const seconds = (count: number): Instant => plus(NOON, count * 1000);
export const DAY = 86_400;

export const JOB_ID = '019aa000-0000-7000-8000-0000000000a1';
export const ACCOUNT_ID = '019aa000-0000-7000-8000-0000000000a2';
export const PRINTER_ID = '019aa000-0000-7000-8000-0000000000a3';
export const COMPUTER_ID = '019aa000-0000-7000-8000-0000000000a4';
export const SESSION_ID = '019aa000-0000-7000-8000-0000000000a5';
export const NEXT_SESSION_ID = '019aa000-0000-7000-8000-0000000000a6';
export const JOB_STREAM = `job-${JOB_ID}`;
export const leaseIdOf = (fence: number) =>
  `019aa000-0000-7000-8000-0000000001${String(fence).padStart(2, '0')}`;

export const description: JobDescription = {
  accountId: ACCOUNT_ID,
  printerId: PRINTER_ID,
  printerCode: 'PR-0A1B2C3D',
  printerName: 'Front desk',
  computerId: COMPUTER_ID,
  computerName: 'RECEPTION',
  externalId: 'order-1042',
  title: 'Receipt 1042',
  contentType: 'pdf',
  contentHash: 'a'.repeat(64),
  contentSizeBytes: 1234,
  copies: 2,
  maxAutoRetries: 3,
  source: 'integration',
};

const by: Origin = { actor: { kind: 'operator', id: 'operator' }, correlationId: 'correlation-1' };
const refOf = (fence: number) => ({ leaseId: leaseIdOf(fence), fence });

/** Job events, by fence where they concern a lease. */
export const created = {
  type: 'JobCreated',
  data: { jobId: JOB_ID, ...description, expiresAt: seconds(DAY) },
} satisfies JobEvent;
export const queued = { type: 'JobQueued', data: {} } satisfies JobEvent;
export const leased = (fence = 1, at = NOON): JobEvent => ({
  type: 'JobLeased',
  data: { ...refOf(fence), computerId: COMPUTER_ID, sessionId: SESSION_ID, leaseUntil: plus(at, 60_000) },
});
export const lapsed = (fence = 1, lapsesInARow = fence, reason: 'silence' | 'session_replaced' = 'silence') =>
  ({
    type: 'LeaseLapsed',
    data: { ...refOf(fence), reason, lapsesInARow, requeued: lapsesInARow < 5 },
  }) satisfies JobEvent;
export const released = (fence = 1, notBefore?: Instant): JobEvent => ({
  type: 'LeaseReleased',
  data: { ...refOf(fence), ...(notBefore && { notBefore }) },
});
export const kept = (fence = 1, sessionId = NEXT_SESSION_ID) =>
  ({ type: 'LeaseKept', data: { ...refOf(fence), sessionId } }) satisfies JobEvent;
export const invalidated = (reason: 'cancelled' | 'expired' | 'moved', fence = 1) =>
  ({ type: 'LeaseInvalidated', data: { ...refOf(fence), reason } }) satisfies JobEvent;
export const accepted = (fence = 1, at = NOON): JobEvent => ({
  type: 'JobAccepted',
  data: { ...refOf(fence), graceUntil: plus(at, 120_000), graceAtMost: plus(at, 1_800_000) },
});
export const handedOff = (fence = 1, at = NOON): JobEvent => ({
  type: 'HandoffStarted',
  data: { ...refOf(fence), sessionId: SESSION_ID, startedAt: at, silentAt: plus(at, 600_000) },
});
export const spooled = (fence = 1, reportId = 'report-spooled'): JobEvent => ({
  type: 'JobSpooled',
  data: { ...refOf(fence), reportId, ...cups, spooledAt: NOON, silentAt: seconds(1800) },
});
export const completed = (fence = 1, more: { late?: true; reportId?: string } = {}): JobEvent => ({
  type: 'JobCompleted',
  data: {
    ...refOf(fence),
    reportId: 'report-completed',
    completedAt: NOON,
    contentUntil: seconds(DAY),
    ...more,
  },
});
export const requeued = (retryCount = 1, cause: 'automatic' | 'manual' = 'automatic'): JobEvent => ({
  type: 'JobRequeued',
  data: { cause, retryCount, expiresAt: seconds(DAY) },
});
export const cancelled = (reason?: string): JobEvent => ({
  type: 'JobCancelled',
  data: { ...(reason && { reason }), contentUntil: seconds(DAY) },
});
export const expired = (at = seconds(DAY)): JobEvent => ({
  type: 'JobExpired',
  data: { contentUntil: plus(at, DAY * 1000) },
});
export const moved = (
  to: Partial<PrinterRef> = {},
  fromPrinterId = PRINTER_ID,
  fromComputerId = COMPUTER_ID,
) => ({ type: 'JobMoved', data: { ...otherPrinter(to), fromPrinterId, fromComputerId } }) satisfies JobEvent;
export const reprinted = (n = 1) =>
  ({ type: 'JobReprinted', data: { reprintId: leaseIdOf(n) } }) satisfies JobEvent;
export const purged = { type: 'ContentPurged', data: {} } satisfies JobEvent;
export const archived = { type: 'JobArchived', data: {} } satisfies JobEvent;

type FailureData = Extract<JobEvent, { type: 'JobFailed' }>['data'];
type ReviewData = Extract<JobEvent, { type: 'ManualReviewOpened' }>['data'];
type LateData = Extract<JobEvent, { type: 'LateResultRecorded' }>['data'];

const lostAgent = {
  failureClass: 'temporary',
  failureCode: 'AGENT_LOST_BEFORE_HANDOFF',
  message: 'The agent was lost before it handed the job to the spooler.',
} as const;
/** A failure that certainly did not print, with a retry `delay` seconds after noon. */
export const failedTemporarily = (more: Partial<FailureData> = {}, fence = 1, delay = 15): JobEvent[] => {
  const nextAttemptAt = seconds(delay);
  const failure = {
    ...refOf(fence),
    ...lostAgent,
    retryState: 'scheduled',
    expiresAt: seconds(DAY),
  } as const;
  return [
    { type: 'JobFailed', data: { ...failure, nextAttemptAt, ...more } },
    { type: 'RetryScheduled', data: { fence, nextAttemptAt, retryDelaySeconds: delay } },
  ];
};
/** A failure without a retry: permanent, or one temporary failure too many. */
export const failedForGood = (more: Partial<FailureData> = {}, fence = 1): JobEvent => ({
  type: 'JobFailed',
  data: {
    ...refOf(fence),
    failureClass: 'permanent',
    failureCode: 'SPOOLER_CANCELLED_LOCALLY',
    retryState: 'none',
    expiresAt: seconds(DAY),
    contentUntil: seconds(DAY),
    ...more,
  },
});
export const exhausted = (fence = 1) =>
  failedForGood({ ...lostAgent, retryState: 'exhausted', contentUntil: seconds(2 * DAY) }, fence);
export const parked = (more: Partial<ReviewData> = {}, fence = 1): JobEvent => ({
  type: 'ManualReviewOpened',
  data: { ...refOf(fence), failureCode: 'SPOOLER_VANISHED', expiresAt: seconds(3 * DAY), ...more },
});
const BACKUP_AT = '2026-03-01T03:00:00.000Z';
const restoredFrom = {
  failureCode: 'RESTORED',
  message: `The service was restored from a backup of ${BACKUP_AT}; this job may have been printed since.`,
} as const;
export const restored = (more: Partial<ReviewData> = {}, fence = 1) =>
  parked({ ...restoredFrom, ...more }, fence);
export const restoredUnleased: JobEvent = {
  type: 'ManualReviewOpened',
  data: { ...restoredFrom, expiresAt: seconds(3 * DAY) },
};
export const recordedLate = (reportId: string, report: ReportType, fence = 1, more: Partial<LateData> = {}) =>
  ({ type: 'LateResultRecorded', data: { ...refOf(fence), reportId, report, ...more } }) satisfies JobEvent;
export const cups = { spoolerProvider: 'cups', spoolerJobId: '7' };

/** Event sequences up to each stage of a job. */
export const waiting: JobEvent[] = [created, queued];
export const withAgent: JobEvent[] = [...waiting, leased()];
export const taken: JobEvent[] = [...withAgent, accepted()];
export const handing: JobEvent[] = [...taken, handedOff()];
export const printing: JobEvent[] = [...handing, spooled()];
export const done: JobEvent[] = [...printing, completed()];
export const inReview: JobEvent[] = [...printing, parked()];
export const unconfirmed: JobEvent[] = [...handing, parked({ failureCode: 'HANDOFF_UNCONFIRMED' })];
export const failedOnce: JobEvent[] = [...taken, ...failedTemporarily()];

/** The session that holds the leases, as the caller. */
export const calling = (more: Partial<jobs.CallingSession> = {}): jobs.CallingSession => ({
  sessionId: SESSION_ID,
  startedAt: NOON,
  predecessors: [],
  ...more,
});

/** Commands, at noon. */
export const create = (expiresAt?: Instant) =>
  new jobs.CreateJob({
    jobId: JOB_ID,
    job: { ...description, ...(expiresAt && { expiresAt }) },
    at: NOON,
    by,
  });
export const grant = (fence = 1, at = NOON, computerId = COMPUTER_ID) =>
  new jobs.GrantLease({
    jobId: JOB_ID,
    leaseId: leaseIdOf(fence),
    printerId: PRINTER_ID,
    computerId,
    sessionId: SESSION_ID,
    at,
    by,
  });
export const expireLease = (fence = 1, at = NOON) =>
  new jobs.ExpireLease({ jobId: JOB_ID, leaseId: leaseIdOf(fence), at, by });
export const release = (fence = 1, { computerId = COMPUTER_ID, session = calling(), at = NOON } = {}) =>
  new jobs.ReleaseLease({ jobId: JOB_ID, computerId, session, leaseId: leaseIdOf(fence), at, by });
export const voidLease = (fence = 1, at = NOON, replaced: readonly string[] = [SESSION_ID]) =>
  new jobs.VoidLease({ jobId: JOB_ID, leaseId: leaseIdOf(fence), replaced, at, by });
export const reconcile = (
  named: { fence?: number; leaseId?: string; touched?: boolean } = {},
  { sessionId = NEXT_SESSION_ID, replaced = [SESSION_ID], computerId = COMPUTER_ID, at = NOON } = {},
) => {
  const { fence = 1, leaseId = leaseIdOf(fence), touched = false } = named;
  return new jobs.ReconcileLease({
    jobId: JOB_ID,
    computerId,
    sessionId,
    replaced,
    named: { leaseId, fence, touched },
    at,
    by,
  });
};
export const accept = (
  fence = 1,
  at = NOON,
  contentHash = description.contentHash,
  computerId = COMPUTER_ID,
  session = calling(),
) =>
  new jobs.AcceptJob({
    jobId: JOB_ID,
    computerId,
    session,
    leaseId: leaseIdOf(fence),
    fence,
    contentHash,
    at,
    by,
  });
export const handOff = (fence = 1, at = NOON, computerId = COMPUTER_ID, session = calling()) =>
  new jobs.StartHandoff({ jobId: JOB_ID, computerId, session, leaseId: leaseIdOf(fence), fence, at, by });
export const report = (
  type: ReportType,
  more: Partial<jobs.AgentReport> = {},
  { fence = 1, leaseId = leaseIdOf(fence), at = NOON, computerId = COMPUTER_ID, session = calling() } = {},
) =>
  new jobs.ReportProgress({
    jobId: JOB_ID,
    computerId,
    session,
    leaseId,
    fence,
    report: { id: `report-${type}`, type, ...more },
    at,
    by,
  });
export const contentLost = (
  at = NOON,
  computerId = COMPUTER_ID,
  reason: jobs.ContentLost['reason'] = 'missing',
) => new jobs.ContentLost({ jobId: JOB_ID, computerId, reason, at, by });
export const agentGone = (fence = 1, at = NOON) =>
  new jobs.AgentGone({ jobId: JOB_ID, leaseId: leaseIdOf(fence), at, by });
export const handoffSilence = (fence = 1, at = NOON) =>
  new jobs.HandoffSilence({ jobId: JOB_ID, leaseId: leaseIdOf(fence), at, by });
export const spoolSilence = (fence = 1, at = NOON) =>
  new jobs.SpoolSilence({ jobId: JOB_ID, leaseId: leaseIdOf(fence), at, by });
export const requeue = (fence = 1, at = NOON) => new jobs.RequeueForRetry({ jobId: JOB_ID, fence, at, by });
export const endRetry = (fence = 1, at = NOON) =>
  new jobs.EndRetry({ jobId: JOB_ID, fence, reason: 'account_closed', at, by });
export const retry = (reason?: string, at = NOON) => new jobs.RetryJob({ jobId: JOB_ID, reason, at, by });
export const expire = (at = seconds(DAY)) => new jobs.ExpireJob({ jobId: JOB_ID, at, by });
export const cancel = (reason?: string) => new jobs.CancelJob({ jobId: JOB_ID, reason, at: NOON, by });
export const parkRestored = (backupAt: Instant | null = BACKUP_AT) =>
  new jobs.ParkRestoredJob({ jobId: JOB_ID, backupAt: backupAt ?? undefined, at: NOON, by });
export const suspectClone = (permitSession = SESSION_ID, provenBy = NEXT_SESSION_ID) =>
  new jobs.SuspectClone({ jobId: JOB_ID, succession: { permitSession, provenBy }, at: NOON, by });
export const printerIdOf = (n: number) => `019aa000-0000-7000-8000-0000000003${String(n).padStart(2, '0')}`;
export const OTHER_COMPUTER_ID = '019aa000-0000-7000-8000-0000000000a7';
/** Another printer, on the same computer unless stated otherwise. */
export const otherPrinter = (more: Partial<PrinterRef> = {}): PrinterRef => ({
  printerId: printerIdOf(1),
  printerCode: 'PR-11111111',
  printerName: 'Back office',
  computerId: COMPUTER_ID,
  computerName: 'RECEPTION',
  ...more,
});
export const move = (to: Partial<PrinterRef> = {}, at = NOON, fromPrinterId = PRINTER_ID) =>
  new jobs.MoveJob({ jobId: JOB_ID, fromPrinterId, to: otherPrinter(to), at, by });
export const clear = (queueOf = PRINTER_ID) => new jobs.CancelJob({ jobId: JOB_ID, queueOf, at: NOON, by });
export const noteReprint = (n = 1, at = NOON) =>
  new jobs.NoteReprint({ jobId: JOB_ID, reprintId: leaseIdOf(n), at, by });
export const purge = (at = NOON) => new jobs.PurgeContent({ jobId: JOB_ID, at, by });
export const archive = (at = NOON) => new jobs.ArchiveJob({ jobId: JOB_ID, at, by });
