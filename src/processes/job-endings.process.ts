import { ExpireJob, PurgeContent, RequeueForRetry } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type TimedProcess } from '../kernel/process.js';

/** Only for jobs that certainly did not print. */
export const autoRetry: TimedProcess<JobEvent> = {
  name: 'auto-retry',
  handles: ['RetryScheduled', 'JobRequeued', 'JobExpired', 'JobCompleted', 'ManualReviewOpened'],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'RetryScheduled') return [unschedule(jobId)];
    const { fence, nextAttemptAt, silenceMs } = event.data;
    const silence = silenceMs === undefined ? undefined : { forMs: silenceMs };
    return [schedule(jobId, nextAttemptAt, { fence }, silence)];
  },

  command: ({ subject, payload }, at, by) =>
    new RequeueForRetry({ jobId: subject, fence: Number(payload.fence), at, by }),
};

/** Excludes jobs that may be printing. */
export const jobExpiry: TimedProcess<JobEvent> = {
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
        return [schedule(jobId, event.data.expiresAt)];
      case 'JobFailed': {
        const { retryState, expiresAt } = event.data;
        return [retryState === 'scheduled' ? schedule(jobId, expiresAt) : unschedule(jobId)];
      }
      default:
        return [unschedule(jobId)];
    }
  },

  command: ({ subject }, at, by) => new ExpireJob({ jobId: subject, at, by }),
};

/** Deletes content at the end of its retention, once the job can no longer be printed. */
export const contentPurge: TimedProcess<JobEvent> = {
  name: 'content-purge',
  handles: ['JobCompleted', 'JobCancelled', 'JobExpired', 'JobFailed', 'JobRequeued', 'ContentPurged'],

  react(event) {
    const jobId = idOf(event.stream);
    switch (event.type) {
      case 'JobCompleted':
      case 'JobCancelled':
      case 'JobExpired':
        return [schedule(jobId, event.data.contentUntil)];
      case 'JobFailed': {
        const { contentUntil } = event.data;
        return contentUntil === undefined ? [] : [schedule(jobId, contentUntil)];
      }
      default:
        return [unschedule(jobId)];
    }
  },

  command: ({ subject }, at, by) => new PurgeContent({ jobId: subject, at, by }),
};
