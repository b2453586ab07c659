import type { ParkRestoredJob } from './job.commands.js';
import type { JobEvent } from './job.events.js';
import { parked } from './job.outcomes.js';
import type { JobPolicy } from './job.policy.js';
import type { Job } from './job.state.js';

/**
 * Parks a job that may have been handed out between the backup and the loss of the store; other jobs stay
 * unchanged.
 */
export function parkRestored(job: Job, { backupAt, at }: ParkRestoredJob, policy: JobPolicy): JobEvent[] {
  if (!mayHaveBeenHandedOut(job)) return [];
  const cause =
    backupAt === undefined
      ? 'The store of the service went back in time'
      : `The service was restored from a backup of ${backupAt}`;
  const message = `${cause}; this job may have been printed since.`;
  return [parked({ job, lease: job.lease }, { failureCode: 'RESTORED', message }, at, policy)];
}

/** After `spooled` the spooler's result decides; final jobs are never handed out. */
function mayHaveBeenHandedOut({ status, nextAttemptAt }: Job): boolean {
  switch (status) {
    case 'created':
    case 'queued':
    case 'leased':
    case 'accepted_by_agent':
      return true;
    case 'failed':
      return nextAttemptAt !== undefined;
    default:
      return false;
  }
}
