import { elapsed, later, plus, type Instant } from '../../../kernel/time.js';
import type { AgentReport } from './job.commands.js';
import type { JobEvent, JobEventData, LeaseRef, SpoolerEvidence, Succession } from './job.events.js';
import type { JobPolicy } from './job.policy.js';
import type { Job } from './job.state.js';

/** A job together with the lease that an outcome ends. */
export interface Attempt {
  readonly job: Job;
  readonly lease: LeaseRef;
}

/** Why a job is parked, without the lease and the expiry that `parked` adds. */
export type Doubt = Omit<JobEventData<'ManualReviewOpened'>, 'expiresAt' | keyof LeaseRef>;

export interface Failure {
  readonly failureClass: 'temporary' | 'permanent';
  readonly failureCode: string;
  readonly message?: string;
  readonly reportId?: string;
  readonly late?: true;
  readonly succession?: Succession;
}

/** The attempt failed and certainly printed nothing; a temporary failure brings the next attempt, not before `notBefore`. */
export function failed(
  { job, lease }: Attempt,
  failure: Failure,
  at: Instant,
  policy: JobPolicy,
  notBefore: Instant = at,
): JobEvent[] {
  const ending = { ...refOf(lease), ...failure, expiresAt: job.expiresAt };
  const exhausted = job.retryCount >= job.maxAutoRetries;
  if (failure.failureClass === 'permanent' || exhausted) {
    const temporary = failure.failureClass === 'temporary';
    // A person may still retry a temporary failure until the job expires.
    const lastChance = temporary ? later(job.expiresAt, at) : at;
    const retryState = temporary ? 'exhausted' : 'none';
    const contentUntil = plus(lastChance, policy.contentRetentionMs);
    return [{ type: 'JobFailed', data: { ...ending, retryState, contentUntil } }];
  }
  const nextAttemptAt = later(plus(at, retryDelay(job.retryCount, policy)), notBefore);
  const retryDelaySeconds = Math.ceil(elapsed(at, nextAttemptAt) / 1000);
  return [
    { type: 'JobFailed', data: { ...ending, retryState: 'scheduled', nextAttemptAt } },
    {
      type: 'RetryScheduled',
      data: {
        fence: lease.fence,
        nextAttemptAt,
        retryDelaySeconds,
        ...(failure.succession && { silenceMs: policy.successionMs }),
      },
    },
  ];
}

/** The attempt may have printed: only a person's decision prints the job again. */
export function parked(
  { job, lease }: { readonly job: Job; readonly lease: LeaseRef | undefined },
  cause: Doubt,
  at: Instant,
  policy: JobPolicy,
): JobEvent {
  const expiresAt = later(job.expiresAt, plus(at, policy.reviewWindowMs));
  return { type: 'ManualReviewOpened', data: { ...(lease && refOf(lease)), ...cause, expiresAt } };
}

/** The job ends by its expiry; a lease dies first, so that a late agent finds nothing to act under. */
export function expired(job: Job, at: Instant, policy: JobPolicy): JobEvent[] {
  const contentUntil = plus(at, policy.contentRetentionMs);
  return [...invalidated(job, 'expired'), { type: 'JobExpired', data: { contentUntil } }];
}

/** The death of the lease that the agent holds, if it holds one. */
export function invalidated(job: Job, reason: 'cancelled' | 'expired'): JobEvent[] {
  const held = job.status === 'leased' || job.status === 'accepted_by_agent';
  if (!held || !job.lease) return [];
  return [{ type: 'LeaseInvalidated', data: { ...refOf(job.lease), reason } }];
}

/** The spooler is done with it; `late` if the service did not expect that any more. */
export function completed(
  { job, lease }: Attempt,
  said: AgentReport,
  at: Instant,
  policy: JobPolicy,
  late?: { late: true },
): JobEvent {
  const contentUntil = plus(at, policy.contentRetentionMs);
  const completedAt = seenAt(job, said, at);
  const data = {
    ...refOf(lease),
    reportId: said.id,
    ...evidenceOf(said),
    completedAt,
    ...late,
    contentUntil,
  };
  return { type: 'JobCompleted', data };
}

export function evidenceOf({ spoolerProvider, spoolerJobId }: SpoolerEvidence): SpoolerEvidence {
  return {
    ...(spoolerProvider !== undefined && { spoolerProvider }),
    ...(spoolerJobId !== undefined && { spoolerJobId }),
  };
}

/**
 * When the agent says it happened, kept between the hand-off and now because its clock may be wrong; now for a hand-off
 * that the service knows nothing of.
 */
export function seenAt(job: Job, report: AgentReport, at: Instant): Instant {
  const knownAt = job.lease?.knownAt;
  if (knownAt === undefined) return at;
  const said = report.occurredAt !== undefined && report.occurredAt < at ? report.occurredAt : at;
  return later(said, knownAt);
}

/** Whether anything, a person included, can still send the job to a printer. */
export function canBePrinted(job: Job, at: Instant): boolean {
  switch (job.status) {
    case 'absent':
    case 'spooler_completed':
    case 'cancelled':
    case 'expired':
      return false;
    case 'failed':
      if (job.nextAttemptAt !== undefined) return true;
      return job.failureClass === 'temporary' && at < job.expiresAt;
    default:
      return true;
  }
}

export function refOf({ leaseId, fence }: LeaseRef): LeaseRef {
  return { leaseId, fence };
}

function retryDelay(retryCount: number, { retryDelaysMs }: JobPolicy): number {
  return retryDelaysMs[retryCount] ?? retryDelaysMs.at(-1) ?? 0;
}
