import { Injectable } from '@nestjs/common';
import { LogTimes } from '../../src/contexts/webhooks/ports.js';
import { beforeTime, eventPositionIn, ViewStore } from '../../src/event-sourcing/index.js';
import type { Position } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { jobView } from '../job-view/job-view.js';

/** A job may be stored long after its time: by a clock that is behind, or last in a batch. */
const JOBS = 100;

/** The newest jobs before a time tell the position, because the log has no index by time. */
@Injectable()
export class JobTimes extends LogTimes {
  constructor(private readonly views: ViewStore) {
    super();
  }

  async positionBefore(at: Instant): Promise<Position | undefined> {
    const newest = { where: {}, order: 'newest', limit: JOBS, after: beforeTime(at) } as const;
    const { documents, positions } = await this.views.find(jobView, newest);
    // The views of an earlier release are in the order of the log until they are built anew.
    const before = positions.filter((_, n) => documents[n]!.created_at < at).map(eventPositionIn);
    return before.sort()[0];
  }
}
