import type { Instant, Milliseconds } from '../../../kernel/time.js';
import type { FailureClass, JobStatus } from './job.events.js';

export const HELD_STATUSES = [
  'leased',
  'accepted_by_agent',
  'sent_to_spooler',
] as const satisfies readonly JobStatus[];

export const CANCELLABLE_STATUSES = ['created', 'queued', 'leased'] as const satisfies readonly JobStatus[];

const FINAL_STATUSES = ['spooler_completed', 'cancelled', 'expired'] as const satisfies readonly JobStatus[];

/** A printer that is online takes its jobs within seconds, and most are printed within this. */
export const LATE: Milliseconds = 5 * 60_000;

type Status = JobStatus | 'absent' | undefined;

export function isHeld(status: Status): boolean {
  return HELD_STATUSES.some((held) => held === status);
}

export function canCancel(status: Status): boolean {
  return CANCELLABLE_STATUSES.some((cancellable) => cancellable === status);
}

/** True if not even a manual retry changes the job. */
export function isFinal(status: Status): boolean {
  return FINAL_STATUSES.some((final) => final === status);
}

/** Nothing can follow but late results and notes of reprints. A failed job without content is not retried. */
export function isAtRest(job: { readonly status: Status; readonly contentAvailable: boolean }): boolean {
  return !job.contentAvailable && (isFinal(job.status) || job.status === 'failed');
}

/** The job failed or waits for a decision, and is still printable. */
export function canRetry(
  job: {
    readonly status: Status;
    readonly failureClass?: FailureClass;
    readonly contentAvailable: boolean;
    readonly expiresAt: Instant;
  },
  now: Instant,
): boolean {
  const undecided =
    job.status === 'manual_review' || (job.status === 'failed' && job.failureClass === 'temporary');
  return undecided && job.contentAvailable && now < job.expiresAt;
}
