import { PurgeContent } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

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
        return [schedule(jobId, event.data.contentUntil, { jobId })];
      case 'JobFailed': {
        const { contentUntil } = event.data;
        return contentUntil === undefined ? [] : [schedule(jobId, contentUntil, { jobId })];
      }
      default:
        return [unschedule(jobId)];
    }
  },
};

export const contentPurgeCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new PurgeContent(String(payload.jobId), at, by);
