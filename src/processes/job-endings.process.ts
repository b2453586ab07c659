import { ExpireJob, PurgeContent, RequeueForRetry } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

/** Only for jobs that certainly did not print. */
export const autoRetry: Process<JobEvent> = {
  name: 'auto-retry',
  handles: ['RetryScheduled', 'JobRequeued', 'JobExpired', 'JobCompleted', 'ManualReviewOpened'],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'RetryScheduled') return [unschedule(jobId)];
    const { fence, nextAttemptAt, silenceMs } = event.data;
    const silence = silenceMs === undefined ? undefined : { forMs: silenceMs };
    return [schedule(jobId, nextAttemptAt, { fence }, silence)];
  },
};

export const autoRetryCommand = ({ subject, payload }: Timer, at: Instant, by: Origin) =>
  new RequeueForRetry({ jobId: subject, fence: Number(payload.fence), at, by });

/** Excludes jobs that may be printing. */
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
        return [schedule(jobId, event.data.expiresAt)];
      case 'JobFailed': {
        const { retryState, expiresAt } = event.data;
        return [retryState === 'scheduled' ? schedule(jobId, expiresAt) : unschedule(jobId)];
      }
      default:
        return [unschedule(jobId)];
    }
  },
};

export const jobExpiryCommand = ({ subject }: Timer, at: Instant, by: Origin) =>
  new ExpireJob({ jobId: subject, at, by });

/** Deletes content at the end of its retention, once the job can no longer be printed. */
export const contentPurge: Process<JobEvent> = {
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
};

export const contentPurgeCommand = ({ subject }: Timer, at: Instant, by: Origin) =>
  new PurgeContent({ jobId: subject, at, by });
