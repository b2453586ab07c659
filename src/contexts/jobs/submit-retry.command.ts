import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { JobRejection } from './domain/job.rejections.js';

/** A person's decision to print again, exactly once per idempotency key. */
export class SubmitRetry {
  constructor(
    readonly accountId: string,
    readonly jobId: string,
    readonly reason: string | undefined,
    readonly idempotencyKey: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type RetrySubmitted =
  | { readonly ok: true; readonly replayed: boolean }
  | { readonly ok: false; readonly rejection: JobRejection | { readonly code: 'IdempotencyConflict' } };
