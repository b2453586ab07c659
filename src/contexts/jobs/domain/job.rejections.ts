import type { Outcome } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type { JobEvent, JobStatus } from './job.events.js';
import type { Job } from './job.state.js';

/** Why a job command is refused. */
export type JobRejection =
  /** No such job, or a job of another computer. */
  | { readonly code: 'JobNotFound' }
  | { readonly code: 'JobNotQueued'; readonly status: JobStatus }
  /** Released too often in a row: no lease before `until`. */
  | { readonly code: 'JobNotGrantableYet'; readonly until: Instant }
  /** Under this lease and fence nothing may be done any more, or never could. */
  | { readonly code: 'LeaseLost' }
  /** Accepted already: `not_submitted` gives it back now. */
  | { readonly code: 'LeaseNotReleasable' }
  | { readonly code: 'JobExpired' }
  | { readonly code: 'ContentMismatch' }
  /** A hand-off wants an accepted job. */
  | { readonly code: 'JobNotAccepted' }
  /** The job has as many late results as are kept; this one changes nothing either. */
  | { readonly code: 'LateResultNotKept' }
  | { readonly code: 'JobNotCancellable'; readonly status: JobStatus }
  | { readonly code: 'JobNotRetryable'; readonly status: JobStatus }
  | { readonly code: 'RetryDuplicationRisk'; readonly status: JobStatus };

/** The result of a command to a job that should exist, and may be refused for these reasons too. */
export type JobOutcome<Code extends JobRejection['code'] = 'JobNotFound'> = Outcome<
  Job,
  JobEvent,
  Extract<JobRejection, { code: Code | 'JobNotFound' }>
>;
