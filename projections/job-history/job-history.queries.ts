import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { streamOf } from '../../src/kernel/ids.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import { EventStore } from '../../src/ports/event-store.port.js';
import { historyOf } from './job-history.fold.js';
import type { JobHistory } from './job-history.js';

/** History lines in memory, about 300 bytes each. */
const CACHED_LINES = 50_000;

interface Folded extends JobHistory {
  readonly accountId: string;
  /** The last folded event. */
  readonly revision: number;
  readonly eventId: string;
}

@Injectable()
export class JobHistoryQueries {
  /** Most histories are read for finished jobs, whose streams do not change. */
  private readonly folded = new LRUCache<string, Folded>({
    maxSize: CACHED_LINES,
    sizeCalculation: ({ history }) => history.length + 1,
  });

  constructor(private readonly events: EventStore) {}

  /** Folds the job's stream; empty for a job of another account. @throws CorruptEventError, UnavailableError */
  async getHistory(accountId: string, jobId: string): Promise<JobHistory> {
    const folded = await this.newest(jobId);
    if (folded?.accountId !== accountId) return { history: [] };
    const { history, history_truncated } = folded;
    return { history, ...(history_truncated && { history_truncated }) };
  }

  private async newest(jobId: string): Promise<Folded | undefined> {
    const stream = streamOf('job', jobId);
    const known = this.folded.get(jobId);
    if (known) {
      // The last event is read again: after a rollback of the log it may be another one, or none.
      const [last, newer] = await this.events.load(stream, { from: known.revision, max: 2 });
      if (last?.id === known.eventId && !newer) return known;
    }
    const events = (await this.events.load(stream)) as readonly Recorded<JobEvent>[];
    const [created] = events;
    if (created?.type !== 'JobCreated') return undefined;
    const { accountId } = created.data;
    const { revision, id: eventId } = events.at(-1)!;
    const folded = { accountId, revision, eventId, ...historyOf(events) };
    this.folded.set(jobId, folded);
    return folded;
  }
}
