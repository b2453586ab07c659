export * from './domain/job.commands.js';
export { makeJobDecider, type JobDecider, type JobRejection } from './domain/job.decider.js';
export type {
  ContentType,
  FailureClass,
  JobDescription,
  JobEvent,
  JobSource,
  JobStatus,
  LeaseRef,
  ReportType,
} from './domain/job.events.js';
export { canBePrinted } from './domain/job.outcomes.js';
export { defaultJobPolicy, type JobPolicy } from './domain/job.policy.js';
export { reportResult } from './domain/job.results.js';
export type { Job, Lease } from './domain/job.state.js';
