import { Injectable } from '@nestjs/common';
import type { JobEvent, LeaseRef } from './domain/job.events.js';
import { EventStore, LivenessStore } from '../../event-sourcing/index.js';

/** Events after which no timer needs the lease's heartbeat. */
const ENDS_A_LEASE: ReadonlySet<string> = new Set<JobEvent['type']>([
  'LeaseLapsed',
  'LeaseReleased',
  'LeaseInvalidated',
  'JobCompleted',
  'JobFailed',
  'ManualReviewOpened',
]);

/** Deletes the heartbeats of ended leases; otherwise the liveness store would grow with every job. */
@Injectable()
export class LeaseHeartbeats {
  constructor(events: EventStore, liveness: LivenessStore) {
    events.listen({
      types: ENDS_A_LEASE,
      appended(ended) {
        const keys = ended.map(({ data }) => `lease:${(data as unknown as Partial<LeaseRef>).leaseId}`);
        // A heartbeat left behind costs a few bytes and is never read.
        liveness.forget(keys).catch(() => undefined);
      },
    });
  }
}
