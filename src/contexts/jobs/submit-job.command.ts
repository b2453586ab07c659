import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { ContentType, JobSource } from './domain/job.events.js';

/** A client's validated print request. */
export interface JobDraft {
  readonly accountId: string;
  /** Scopes idempotency keys: the Integration and Partner APIs of one account have separate ones. */
  readonly source: JobSource;
  readonly printerId: string;
  readonly contentType: ContentType;
  readonly content: Uint8Array;
  /** SHA-256 of the decoded bytes, lower-case hex. */
  readonly contentHash: string;
  readonly copies: number;
  readonly externalId?: string;
  readonly title?: string;
  /** Present if the client gave one. */
  readonly expiresAt?: Instant;
}

/** Creates a job exactly once per idempotency key; a test print has none. */
export class SubmitJob extends Command<Submitted> {
  constructor(
    readonly draft: JobDraft,
    readonly idempotencyKey: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type SubmitRejection =
  | { readonly code: 'IdempotencyConflict' }
  /** In the future, at most 30 days away. */
  | { readonly code: 'ExpiryOutOfRange' }
  | { readonly code: 'ContentTooLarge'; readonly maxBytes: number }
  | { readonly code: 'PlanLimitReached'; readonly jobsPerMonth: number }
  | { readonly code: 'AccountClosed' }
  | { readonly code: 'PrinterNotFound' }
  | { readonly code: 'VirtualPrintersOnly' }
  | { readonly code: 'PrinterNotReady' }
  | { readonly code: 'ContentTypeNotSupported' };

export type Submitted =
  | { readonly ok: true; readonly jobId: string; readonly replayed: boolean }
  | { readonly ok: false; readonly rejection: SubmitRejection };
