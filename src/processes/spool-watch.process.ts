import { SpoolSilence } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import { elapsed, type Instant } from '../kernel/time.js';

/** Times out a spooled document without a final report. */
export const spoolWatch: Process<JobEvent> = {
  name: 'spool-watch',
  handles: ['JobSpooled', 'JobCompleted', 'JobFailed', 'ManualReviewOpened'],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'JobSpooled') return [unschedule(jobId)];
    const { leaseId, silentAt } = event.data;
    const forMs = elapsed(event.metadata.at, silentAt);
    return [schedule(jobId, silentAt, { jobId, leaseId }, { forMs })];
  },
};

export const spoolWatchCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new SpoolSilence(String(payload.jobId), String(payload.leaseId), at, by);
