import { AgentGone } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import { elapsed, type Instant } from '../kernel/time.js';

/** Gives up on an agent that accepted a job but went silent, or takes too long, before the hand-off. */
export const acceptGrace: Process<JobEvent> = {
  name: 'accept-grace',
  handles: [
    'JobAccepted',
    'HandoffStarted',
    'JobFailed',
    'JobCompleted',
    'LeaseInvalidated',
    'ManualReviewOpened',
  ],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'JobAccepted') return [unschedule(jobId)];
    const { leaseId, graceUntil, graceAtMost } = event.data;
    const forMs = elapsed(event.metadata.at, graceUntil);
    const keptAlive = { by: `lease:${leaseId}`, forMs, atMost: graceAtMost };
    return [schedule(jobId, graceUntil, { jobId, leaseId }, keptAlive)];
  },
};

export const acceptGraceCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new AgentGone(String(payload.jobId), String(payload.leaseId), at, by);
