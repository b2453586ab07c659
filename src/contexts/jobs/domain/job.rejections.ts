import type { JobStatus } from './job.events.js';

/** Why a job command is refused. */
export type JobRejection =
  /** No such job, or a job of another computer. */
  | { readonly code: 'JobNotFound' }
  | { readonly code: 'JobNotQueued'; readonly status: JobStatus }
  /** Under this lease and fence nothing may be done any more, or never could. */
  | { readonly code: 'LeaseLost' }
  /** Accepted already: `not_submitted` gives it back now. */
  | { readonly code: 'LeaseNotReleasable' }
  | { readonly code: 'JobExpired' }
  | { readonly code: 'ContentMismatch' }
  /** A hand-off wants an accepted job. */
  | { readonly code: 'JobNotAccepted' }
  /** A spooler cannot have what was never handed off. */
  | { readonly code: 'HandoffNotStarted' }
  | { readonly code: 'JobNotCancellable'; readonly status: JobStatus }
  | { readonly code: 'JobNotRetryable'; readonly status: JobStatus }
  | { readonly code: 'RetryDuplicationRisk'; readonly status: JobStatus };
