import { ExpireJob } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

/** Expires waiting jobs, but neither jobs that may be printing nor ended ones. */
export const jobExpiry: Process<JobEvent> = {
  name: 'job-expiry',
  handles: [
    'JobCreated',
    'HandoffStarted',
    'JobFailed',
    'JobRequeued',
    'ManualReviewOpened',
    'JobCompleted',
    'JobCancelled',
    'JobExpired',
  ],

  react(event) {
    const jobId = idOf(event.stream);
    switch (event.type) {
      case 'JobCreated':
      case 'JobRequeued':
      case 'ManualReviewOpened':
        return [schedule(jobId, event.data.expiresAt, { jobId })];
      case 'JobFailed': {
        const { retryState, expiresAt } = event.data;
        return [retryState === 'scheduled' ? schedule(jobId, expiresAt, { jobId }) : unschedule(jobId)];
      }
      default:
        return [unschedule(jobId)];
    }
  },
};

export const jobExpiryCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new ExpireJob(String(payload.jobId), at, by);
