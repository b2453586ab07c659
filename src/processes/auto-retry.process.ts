import { RequeueForRetry } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

/** Retries jobs that certainly did not print. */
export const autoRetry: Process<JobEvent> = {
  name: 'auto-retry',
  handles: ['RetryScheduled', 'JobRequeued', 'JobExpired', 'JobCompleted', 'ManualReviewOpened'],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'RetryScheduled') return [unschedule(jobId)];
    const { fence, nextAttemptAt, silenceMs } = event.data;
    const silence = silenceMs === undefined ? undefined : { forMs: silenceMs };
    return [schedule(jobId, nextAttemptAt, { jobId, fence }, silence)];
  },
};

export const autoRetryCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new RequeueForRetry(String(payload.jobId), Number(payload.fence), at, by);
