import {
  AgentGone,
  ExpireLease,
  HandoffSilence,
  SpoolSilence,
} from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type TimedProcess } from '../kernel/process.js';
import { elapsed } from '../kernel/time.js';

export const leaseExpiry: TimedProcess<JobEvent> = {
  name: 'lease-expiry',
  handles: [
    'JobLeased',
    'LeaseLapsed',
    'LeaseReleased',
    'LeaseInvalidated',
    'JobAccepted',
    'JobFailed',
    'JobCompleted',
    'ManualReviewOpened',
  ],

  react(event) {
    const jobId = idOf(event.stream);
    if (event.type !== 'JobLeased') return [unschedule(jobId)];
    const { leaseId, leaseUntil } = event.data;
    const forMs = elapsed(event.metadata.at, leaseUntil);
    return [schedule(jobId, leaseUntil, { leaseId }, { by: `lease:${leaseId}`, forMs })];
  },

  command: ({ subject, payload }, at, by) =>
    new ExpireLease({ jobId: subject, leaseId: String(payload.leaseId), at, by }),
};

/** Covers an agent that is silent or too slow between accept and hand-off. */
export const acceptGrace: TimedProcess<JobEvent> = {
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
    return [schedule(jobId, graceUntil, { leaseId }, keptAlive)];
  },

  command: ({ subject, payload }, at, by) =>
    new AgentGone({ jobId: subject, leaseId: String(payload.leaseId), at, by }),
};

/** Heartbeats do not extend it. */
export const handOffWatch = silenceWatch('hand-off-watch', 'HandoffStarted', HandoffSilence);

export const spoolWatch = silenceWatch('spool-watch', 'JobSpooled', SpoolSilence);

/** Watches from an event of this type to the next step of the job. */
function silenceWatch(
  name: string,
  begins: 'HandoffStarted' | 'JobSpooled',
  Silence: typeof HandoffSilence | typeof SpoolSilence,
): TimedProcess<JobEvent> {
  const ends = ['JobSpooled', 'JobCompleted', 'JobFailed', 'ManualReviewOpened'] as const;
  return {
    name,
    handles: [...new Set([begins, ...ends])],

    react(event) {
      const jobId = idOf(event.stream);
      if (event.type !== begins) return [unschedule(jobId)];
      const { leaseId, silentAt } = event.data;
      const forMs = elapsed(event.metadata.at, silentAt);
      return [schedule(jobId, silentAt, { leaseId }, { forMs })];
    },

    command: ({ subject, payload }, at, by) =>
      new Silence({ jobId: subject, leaseId: String(payload.leaseId), at, by }),
  };
}
