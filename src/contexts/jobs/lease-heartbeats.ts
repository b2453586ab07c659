import { Injectable } from '@nestjs/common';
import type { JobEvent, LeaseRef } from './domain/job.events.js';
import { EventStore, LivenessStore } from '../../event-sourcing/index.js';

const ENDS_A_LEASE: ReadonlySet<string> = new Set<JobEvent['type']>([
  'LeaseLapsed',
  'LeaseReleased',
  'LeaseInvalidated',
  'JobCompleted',
  'JobFailed',
  'ManualReviewOpened',
]);

/** Otherwise the liveness store would grow with every job. */
@Injectable()
export class LeaseHeartbeats {
  constructor(events: EventStore, liveness: LivenessStore) {
    events.listen({
      types: ENDS_A_LEASE,
      appended(ended) {
        const keys = ended.map(({ data }) => `lease:${(data as unknown as Partial<LeaseRef>).leaseId}`);
        // A remaining heartbeat costs a few bytes and is never read.
        liveness.delete(keys).catch(() => undefined);
      },
    });
  }
}
