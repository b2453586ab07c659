import { ExpireLease } from '../contexts/jobs/domain/job.commands.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import { elapsed, type Instant } from '../kernel/time.js';

/** Requeues a job whose lease is neither renewed nor accepted in time. */
export const leaseExpiry: Process<JobEvent> = {
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
    return [schedule(jobId, leaseUntil, { jobId, leaseId }, { by: `lease:${leaseId}`, forMs })];
  },
};

export const leaseExpiryCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new ExpireLease(String(payload.jobId), String(payload.leaseId), at, by);
