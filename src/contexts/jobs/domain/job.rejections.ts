import type { Outcome } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type { JobEvent, JobStatus } from './job.events.js';
import type { Job } from './job.state.js';

export type JobRejection =
  /** Includes jobs of other computers. */
  | { readonly code: 'JobNotFound' }
  | { readonly code: 'JobNotQueued'; readonly status: JobStatus }
  | { readonly code: 'JobNotGrantableYet'; readonly until: Instant }
  /** The agent would print without the options of the job. */
  | { readonly code: 'OptionsNotTaken' }
  | { readonly code: 'LeaseLost' }
  /** Already accepted: report `not_submitted` instead. */
  | { readonly code: 'LeaseNotReleasable' }
  | { readonly code: 'JobExpired' }
  | { readonly code: 'ContentMismatch' }
  | { readonly code: 'JobNotAccepted' }
  | { readonly code: 'LateResultNotKept' }
  | { readonly code: 'JobNotCancellable'; readonly status: JobStatus }
  | { readonly code: 'JobNotRetryable'; readonly status: JobStatus }
  | { readonly code: 'RetryDuplicationRisk'; readonly status: JobStatus }
  | { readonly code: 'TooManyReprints' }
  | { readonly code: 'JobNotMovable' };

export type JobOutcome<Code extends JobRejection['code'] = 'JobNotFound'> = Outcome<
  Job,
  JobEvent,
  Extract<JobRejection, { code: Code | 'JobNotFound' }>
>;
