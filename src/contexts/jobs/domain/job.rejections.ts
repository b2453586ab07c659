import type { Outcome } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type { JobEvent, JobStatus } from './job.events.js';
import type { Job } from './job.state.js';

/** Reasons for refusing a job command. */
export type JobRejection =
  /** No such job, or a job of another computer. */
  | { readonly code: 'JobNotFound' }
  | { readonly code: 'JobNotQueued'; readonly status: JobStatus }
  /** Released too often in a row: no lease before `until`. */
  | { readonly code: 'JobNotGrantableYet'; readonly until: Instant }
  /** The lease and fence are not valid. */
  | { readonly code: 'LeaseLost' }
  /** Already accepted: report `not_submitted` instead. */
  | { readonly code: 'LeaseNotReleasable' }
  | { readonly code: 'JobExpired' }
  | { readonly code: 'ContentMismatch' }
  /** A hand-off requires an accepted job. */
  | { readonly code: 'JobNotAccepted' }
  /** The job has the maximum number of late results; this one is dropped. */
  | { readonly code: 'LateResultNotKept' }
  | { readonly code: 'JobNotCancellable'; readonly status: JobStatus }
  | { readonly code: 'JobNotRetryable'; readonly status: JobStatus }
  | { readonly code: 'RetryDuplicationRisk'; readonly status: JobStatus };

/** The result of a command to an existing job, with its further rejections. */
export type JobOutcome<Code extends JobRejection['code'] = 'JobNotFound'> = Outcome<
  Job,
  JobEvent,
  Extract<JobRejection, { code: Code | 'JobNotFound' }>
>;
