import { accept, reject } from '../../../kernel/decider.js';
import { plus } from '../../../kernel/time.js';
import type {
  ArchiveJob,
  CancelJob,
  CreateJob,
  EndRetry,
  ExpireJob,
  JobDecision,
  MoveJob,
  NoteReprint,
  ParkRestoredJob,
  PurgeContent,
  RequeueForRetry,
  RetryJob,
} from './job.commands.js';
import type { JobEvent, JobStatus } from './job.events.js';
import { canBePrinted, expired, invalidated, parked } from './job.outcomes.js';
import { MAX_MOVES, MAX_REPRINTS, type JobPolicy } from './job.policy.js';
import { canCancel, canRetry, isAtRest } from './job.rules.js';
import type { Job } from './job.state.js';

type SomeJob = Job & { readonly status: JobStatus };

export function create({ jobId, job, at }: CreateJob, policy: JobPolicy): JobDecision<CreateJob> {
  const expiresAt = job.expiresAt ?? plus(at, policy.lifetimeMs);
  return accept<JobEvent>(
    { type: 'JobCreated', data: { jobId, ...job, expiresAt } },
    { type: 'JobQueued', data: {} },
  );
}

export function cancel(job: SomeJob, command: CancelJob, policy: JobPolicy): JobDecision<CancelJob> {
  const { queueOf } = command;
  const isInQueue = queueOf === undefined ? canCancel(job.status) : waits(job, queueOf);
  if (!isInQueue) return reject({ code: 'JobNotCancellable', status: job.status });
  return accept<JobEvent>(...withdrawn(job, 'cancelled'), cancelled(command, policy));
}

/** Its former computer keeps no right but to report (docs/decisions/100-reprints-and-queues.md). */
export function move(job: SomeJob, { fromPrinterId, to, at }: MoveJob): JobDecision<MoveJob> {
  if (job.printerId === to.printerId) return accept();
  const isMovable = waits(job, fromPrinterId) && at < job.expiresAt && job.moves < MAX_MOVES;
  if (!isMovable) return reject({ code: 'JobNotMovable' });
  const { computerId: fromComputerId } = job;
  return accept<JobEvent>(...withdrawn(job, 'moved'), {
    type: 'JobMoved',
    data: { ...to, fromPrinterId, fromComputerId },
  });
}

/**
 * True if the current attempt certainly was not handed off. A retry that relies on the silence of an older session
 * is decided when it is due.
 */
function waits({ status, printerId, nextAttemptAt, succession }: SomeJob, queueOf: string): boolean {
  const isRetrying = status === 'failed' && nextAttemptAt !== undefined && !succession;
  return printerId === queueOf && (canCancel(status) || isRetrying);
}

/** Takes the lease away, or the scheduled retry. */
function withdrawn(job: SomeJob, reason: 'cancelled' | 'moved'): JobEvent[] {
  return job.status === 'failed' ? [requeued(job, { cause: 'automatic' })] : invalidated(job, reason);
}

/** A parked job may then print twice, which the caller accepts. */
export function retry(job: SomeJob, { reason, at }: RetryJob): JobDecision<RetryJob> {
  switch (job.status) {
    case 'leased':
    case 'accepted_by_agent':
    case 'sent_to_spooler':
    case 'spooler_completed':
      return reject({ code: 'RetryDuplicationRisk', status: job.status });
    default:
      if (!canRetry(job, at)) return reject({ code: 'JobNotRetryable', status: job.status });
      return accept(requeued(job, { cause: 'manual', ...(reason !== undefined && { reason }) }));
  }
}

export function requeue(
  job: Job,
  { fence, at }: Pick<RequeueForRetry, 'fence' | 'at'>,
  policy: JobPolicy,
): JobDecision<RequeueForRetry> {
  const due = job.status === 'failed' && job.nextAttemptAt !== undefined && at >= job.nextAttemptAt;
  if (!due || job.attemptCount !== fence) return accept();
  if (at >= job.expiresAt) return accept(...expired(job, at, policy));
  return accept(requeued(job, { cause: 'automatic' }));
}

/** Requeues first, because only a queued job can be cancelled. */
export function endRetry(job: Job, command: EndRetry, policy: JobPolicy): JobDecision<EndRetry> {
  const back = requeue(job, command, policy);
  if (!back.accepted || back.events.at(-1)?.type !== 'JobRequeued') return back;
  return accept<JobEvent>(...back.events, cancelled(command, policy));
}

export function expire(job: Job, { at }: ExpireJob, policy: JobPolicy): JobDecision<ExpireJob> {
  return at >= job.expiresAt && canExpire(job) ? accept(...expired(job, at, policy)) : accept();
}

export function purgeContent(job: Job, { at }: PurgeContent): JobDecision<PurgeContent> {
  if (!job.contentAvailable || canBePrinted(job, at)) return accept();
  return accept<JobEvent>({ type: 'ContentPurged', data: {} });
}

export function archive(job: Job): JobDecision<ArchiveJob> {
  if (job.isArchived || !isAtRest(job)) return accept();
  return accept<JobEvent>({ type: 'JobArchived', data: {} });
}

export function noteReprint({ reprints }: Job, { reprintId }: NoteReprint): JobDecision<NoteReprint> {
  if (reprints.includes(reprintId)) return accept();
  if (reprints.length >= MAX_REPRINTS) return reject({ code: 'TooManyReprints' });
  return accept<JobEvent>({ type: 'JobReprinted', data: { reprintId } });
}

function cancelled({ reason, at }: Pick<CancelJob, 'reason' | 'at'>, policy: JobPolicy): JobEvent {
  const contentUntil = plus(at, policy.contentRetentionMs);
  return { type: 'JobCancelled', data: { ...(reason !== undefined && { reason }), contentUntil } };
}

function requeued(job: Job, why: { cause: 'automatic' | 'manual'; reason?: string }): JobEvent {
  const { expiresAt } = job;
  return { type: 'JobRequeued', data: { ...why, retryCount: job.retryCount + 1, expiresAt } };
}

/** After the hand-off the job may be printing. */
function canExpire(job: Job): boolean {
  switch (job.status) {
    case 'created':
    case 'queued':
    case 'leased':
    case 'manual_review':
      return true;
    case 'accepted_by_agent':
      return job.lease?.phase === 'accepted';
    case 'failed':
      return job.nextAttemptAt !== undefined;
    default:
      return false;
  }
}

/** Parks only jobs that may have been handed out between the backup and the loss of the store. */
export function parkRestored(job: Job, { backupAt, at }: ParkRestoredJob, policy: JobPolicy): JobEvent[] {
  if (!mayHaveBeenHandedOut(job)) return [];
  const cause =
    backupAt === undefined
      ? 'The store of the service went back in time'
      : `The service was restored from a backup of ${backupAt}`;
  const message = `${cause}; this job may have been printed since.`;
  return [parked({ job, lease: job.lease }, { failureCode: 'RESTORED', message }, at, policy)];
}

/** After `spooled` the spooler's result decides; final jobs are never handed out. */
function mayHaveBeenHandedOut({ status, nextAttemptAt }: Job): boolean {
  switch (status) {
    case 'created':
    case 'queued':
    case 'leased':
    case 'accepted_by_agent':
      return true;
    case 'failed':
      return nextAttemptAt !== undefined;
    default:
      return false;
  }
}
