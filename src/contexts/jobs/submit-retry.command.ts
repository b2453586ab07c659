import { Command, type Refused, type RejectionOf } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { RetryJob } from './domain/job.commands.js';

/** Retries a job manually, exactly once per idempotency key. */
export class SubmitRetry extends Command<RetrySubmitted> {
  constructor(
    readonly accountId: string,
    readonly jobId: string,
    readonly reason: string | undefined,
    readonly idempotencyKey: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type RetrySubmitted =
  | { readonly ok: true; readonly replayed: boolean }
  | Refused<RejectionOf<RetryJob> | { readonly code: 'IdempotencyConflict' }>;
