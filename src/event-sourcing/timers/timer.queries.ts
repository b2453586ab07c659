import { Injectable } from '@nestjs/common';
import type { Instant } from '../../kernel/time.js';
import { ViewStore } from '../ports/view-store.port.js';
import { timersView } from './timers.projection.js';

/** Queries about armed timers. */
@Injectable()
export class TimerQueries {
  constructor(private readonly views: ViewStore) {}

  /** Timers that were due at this time and still are; counting stops at `most`. */
  async countDueSince(at: Instant, most: number): Promise<number> {
    return (await this.views.range(timersView, { by: 'due_at', upTo: at, limit: most })).length;
  }
}
