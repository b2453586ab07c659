import { Injectable } from '@nestjs/common';
import { LogTimes } from '../../src/contexts/webhooks/ports.js';
import { beforeTime, eventPositionIn, ViewStore } from '../../src/event-sourcing/index.js';
import type { Position } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { jobView } from '../job-view/job-view.js';

/** The newest job before a time tells the position, because the log has no index by time. */
@Injectable()
export class JobTimes extends LogTimes {
  constructor(private readonly views: ViewStore) {
    super();
  }

  async positionBefore(at: Instant): Promise<Position | undefined> {
    const newest = { where: {}, order: 'newest', limit: 1, after: beforeTime(at) } as const;
    const { documents, positions } = await this.views.find(jobView, newest);
    // The views of an earlier release are in the order of the log until they are built anew.
    return documents[0] && documents[0].created_at < at ? eventPositionIn(positions[0]!) : undefined;
  }
}
