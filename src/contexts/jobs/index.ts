export * from './domain/job.commands.js';
export { ACTIONS, CAUSES, VERDICTS } from './domain/explanation.words.js';
export type { Explanation } from './domain/job.explanation.js';
export { makeJobDecider } from './domain/job.decider.js';
export {
  CONTENT_TYPES,
  FAILURE_CLASSES,
  JOB_STATUSES,
  type ContentType,
  type FailureClass,
  type JobDescription,
  type JobEvent,
  type JobEventData,
  type JobStatus,
} from './domain/job.events.js';
export * from './domain/print-options.js';
export { defaultJobPolicy } from './domain/job.policy.js';
export { canCancel, canRetry, isFinal, isHeld } from './domain/job.rules.js';
export { reportResult } from './domain/job.results.js';
export type { Job } from './domain/job.state.js';
export { ContentSweep } from './content-deletion.js';
export * from './coordinated.commands.js';
export { HeldLeases } from './limits.js';
export { JobArchive, type ArchivedStores } from './job-archive.js';
export { JobExplanations } from './job-explanations.js';
export { JobNotifier } from './job-notifier.js';
export { JOB, type JobAggregate } from './job.aggregate.js';
export { ParkRestoredJobsHandler } from './restored-jobs.handlers.js';
export { ComputerLists, JobLists, PrinterDirectory } from './ports.js';
export { renderTestPage } from './test-page.js';
