import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { categoryOf, streamOf } from '../../src/kernel/ids.js';
import type { Recorded, RecordedEvent } from '../../src/kernel/recorded-event.js';
import { historyOf } from './job-history.fold.js';
import type { JobHistory } from './job-history.js';
import { EventStore } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

/** About 300 bytes each. */
const CACHED_LINES = 50_000;
/** About 1 KB each. */
const RECENT_EVENTS = 2_000;

type JobEvents = readonly Recorded<JobEvent>[];

interface Folded extends JobHistory {
  readonly accountId: string;
  readonly revision: number;
}

@Injectable()
export class JobHistoryQueries {
  /** Most histories are read for finished jobs, whose streams do not change. */
  private readonly folded = new LRUCache<string, Folded>({
    maxSize: CACHED_LINES,
    sizeCalculation: ({ history }) => history.length + 1,
  });

  /** Streams of which this instance was notified of every event. */
  private readonly recent = new LRUCache<string, JobEvents>({
    maxSize: RECENT_EVENTS,
    sizeCalculation: (events) => events.length,
  });

  constructor(private readonly events: EventStore) {
    events.listen({
      appended: (appended) => appended.forEach((event) => this.add(event)),
      rolledBack: () => this.invalidate(),
    });
  }

  /**
   * Exactly up to `sequence`, so that it fits a document of that revision; empty for another account's job. @throws CorruptEventError, UnavailableError
   */
  async getHistory(accountId: string, jobId: string, sequence: number): Promise<JobHistory> {
    const known = this.folded.get(jobId);
    const folded = known?.revision === sequence ? known : await this.fold(jobId, sequence);
    if (folded?.accountId !== accountId) return { history: [] };
    const { history, history_truncated } = folded;
    return { history, ...(history_truncated && { history_truncated }) };
  }

  private invalidate(): void {
    this.folded.clear();
    this.recent.clear();
  }

  private async fold(jobId: string, sequence: number): Promise<Folded | undefined> {
    const stream = streamOf('job', jobId);
    const recent = this.recent.get(stream);
    const max = sequence + 1;
    const isKnown = recent !== undefined && recent.length >= max;
    const events = isKnown ? recent.slice(0, max) : ((await this.events.load(stream, { max })) as JobEvents);
    const [created] = events;
    if (created?.type !== 'JobCreated') return undefined;
    const { accountId } = created.data;
    const folded = { accountId, revision: events.at(-1)!.revision, ...historyOf(events) };
    this.folded.set(jobId, folded);
    return folded;
  }

  private add(event: RecordedEvent): void {
    const { stream, revision } = event;
    if (categoryOf(stream) !== 'job') return;
    const before = revision === 0 ? [] : this.recent.peek(stream);
    // Earlier events are missing, or the event is a repeat.
    if (before?.length !== revision) return;
    this.recent.set(stream, [...before, event as unknown as Recorded<JobEvent>]);
  }
}

export const JobHistoryModule = viewModule(JobHistoryQueries);
