import { Injectable } from '@nestjs/common';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { streamOf } from '../../src/kernel/ids.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import { EventStore } from '../../src/ports/event-store.port.js';
import { historyOf } from './job-history.fold.js';
import type { JobHistory } from './job-history.js';

@Injectable()
export class JobHistoryQueries {
  constructor(private readonly events: EventStore) {}

  /** Folds the job's stream; empty for a job of another account. @throws CorruptEventError, UnavailableError */
  async getHistory(accountId: string, jobId: string): Promise<JobHistory> {
    const events = await this.events.load(streamOf('job', jobId));
    const [created] = events as readonly Recorded<JobEvent>[];
    if (created?.type !== 'JobCreated' || created.data.accountId !== accountId) return { history: [] };
    return historyOf(events as readonly Recorded<JobEvent>[]);
  }
}
