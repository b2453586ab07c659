export * from './domain/job.commands.js';
export { makeJobDecider, type JobDecider, type JobRejection } from './domain/job.decider.js';
export {
  CONTENT_TYPES,
  FAILURE_CLASSES,
  JOB_STATUSES,
  type ContentType,
  type FailureClass,
  type JobDescription,
  type JobEvent,
  type JobEventData,
  type JobSource,
  type JobStatus,
  type LeaseRef,
  type ReportType,
} from './domain/job.events.js';
export { canBePrinted } from './domain/job.outcomes.js';
export { defaultJobPolicy, type JobPolicy } from './domain/job.policy.js';
export { canCancel, canRetry, isFinal, isHeld } from './domain/job.rules.js';
export { reportResult } from './domain/job.results.js';
export type { Job, Lease } from './domain/job.state.js';
export { ContentSweep, type SweptStores } from './content-sweep.js';
export { EndJobsOfAccount } from './end-jobs-of-account.command.js';
export { HeldLeases } from './held-leases.js';
export { JobNotifier } from './job-notifier.js';
export { JOB, type JobAggregate } from './job.aggregate.js';
export { LeaseJobs, MAX_LEASES, type GrantedLease, type Granted } from './lease-jobs.command.js';
export { ParkRestoredJobsHandler } from './park-restored-jobs.handler.js';
export { ParkRestoredJobs, type RestoredJobsParked } from './park-restored-jobs.command.js';
export { JobLists, PrinterDirectory, type ListedJob } from './ports.js';
export { ReconcileSession, type Reconciled } from './reconcile-session.command.js';
export { ReleaseRestoredJobs, type RestoredJobsReleased } from './release-restored-jobs.command.js';
export { SubmitJob, type JobDraft, type SubmitRejection, type Submitted } from './submit-job.command.js';
export { SubmitRetry, type RetrySubmitted } from './submit-retry.command.js';
export { SuspectClones } from './suspect-clones.command.js';
export { renderTestPage, type TestPage } from './test-page.js';
export type { JournalEntry, Verdict } from './reconcile.js';
