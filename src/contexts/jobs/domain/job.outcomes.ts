import { elapsed, later, plus, type Instant } from '../../../kernel/time.js';
import type { AgentReport } from './job.commands.js';
import type { JobEvent, JobEventData, LeaseRef, SpoolerEvidence, Succession } from './job.events.js';
import type { JobPolicy } from './job.policy.js';
import type { Job } from './job.state.js';

interface Attempt {
  readonly job: Job;
  readonly lease: LeaseRef;
}

export type Doubt = Omit<JobEventData['ManualReviewOpened'], 'expiresAt' | keyof LeaseRef>;

export interface Failure {
  readonly failureClass: 'temporary' | 'permanent';
  readonly failureCode: string;
  readonly message?: string;
  readonly reportId?: string;
  readonly late?: true;
  readonly succession?: Succession;
}

/** Certainly printed nothing. A temporary failure schedules a retry, not before `notBefore`. */
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
    // A temporary failure can be retried manually until the job expires.
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

/** The attempt may have printed: only a manual decision prints the job again. */
export function parked(
  { job, lease }: { readonly job: Job; readonly lease: LeaseRef | undefined },
  cause: Doubt,
  at: Instant,
  policy: JobPolicy,
): JobEvent {
  const expiresAt = later(job.expiresAt, plus(at, policy.reviewWindowMs));
  return { type: 'ManualReviewOpened', data: { ...(lease && refOf(lease)), ...cause, expiresAt } };
}

/** Ends the lease first, so that a late agent cannot act. */
export function expired(job: Job, at: Instant, policy: JobPolicy): JobEvent[] {
  const contentUntil = plus(at, policy.contentRetentionMs);
  return [...invalidated(job, 'expired'), { type: 'JobExpired', data: { contentUntil } }];
}

export function invalidated(job: Job, reason: JobEventData['LeaseInvalidated']['reason']): JobEvent[] {
  const held = job.status === 'leased' || job.status === 'accepted_by_agent';
  if (!held || !job.lease) return [];
  return [{ type: 'LeaseInvalidated', data: { ...refOf(job.lease), reason } }];
}

/** `late` if the service no longer expected it. */
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

/** The agent's clock may be wrong: limits its time to the range from the hand-off to now. */
export function seenAt(job: Job, report: AgentReport, at: Instant): Instant {
  const knownAt = job.lease?.knownAt;
  if (knownAt === undefined) return at;
  const said = report.occurredAt !== undefined && report.occurredAt < at ? report.occurredAt : at;
  return later(said, knownAt);
}

/** Considers manual retries too. */
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
