import { Injectable } from '@nestjs/common';
import { LogTimes } from '../../src/contexts/webhooks/ports.js';
import { ViewStore } from '../../src/event-sourcing/index.js';
import { POSITION_DIGITS, type Position } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { jobView, type JobDocument } from '../job-view/job-view.js';

/** The newest job before a time tells the position, because the log has no index by time. */
@Injectable()
export class JobTimes extends LogTimes {
  constructor(private readonly views: ViewStore) {
    super();
  }

  async positionBefore(at: Instant): Promise<Position | undefined> {
    const start = await this.views.startBelow<JobDocument>(jobView, {}, 'created_at', at);
    const before = {
      where: {},
      order: 'newest',
      limit: 1,
      ...(start !== undefined && { after: start }),
    } as const;
    const [position] =
      start === undefined ? [] : (await this.views.find<JobDocument>(jobView, before)).positions;
    return position?.slice(0, POSITION_DIGITS);
  }
}
