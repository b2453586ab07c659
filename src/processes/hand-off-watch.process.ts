import { HandoffSilence } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import { elapsed, type Instant } from '../kernel/time.js';

/** Times out a hand-off without a report that the spooler has the document; heartbeats do not extend it. */
export const handOffWatch: Process<JobEvent> = {
  name: 'hand-off-watch',
  handles: ['HandoffStarted', 'JobSpooled', 'JobCompleted', 'JobFailed', 'ManualReviewOpened'],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'HandoffStarted') return [unschedule(jobId)];
    const { leaseId, silentAt } = event.data;
    const forMs = elapsed(event.metadata.at, silentAt);
    return [schedule(jobId, silentAt, { jobId, leaseId }, { forMs })];
  },
};

export const handOffWatchCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new HandoffSilence(String(payload.jobId), String(payload.leaseId), at, by);
