import type { AggregateStore } from '../../event-sourcing/index.js';
import { CorruptEventError } from '../../kernel/errors.js';
import { plus, type Clock, type Milliseconds } from '../../kernel/time.js';
import { ArchiveJob } from './domain/job.commands.js';
import type { JobAggregate } from './job.aggregate.js';
import type { JobLists } from './ports.js';

const PAGE = 200;
/** Bounds the appends that compete with those of requests. */
const AT_ONCE = 8;
/** Jobs looked at; the next run goes on. */
const MAX_A_RUN = 20_000;

export interface ArchivedStores {
  readonly lists: JobLists;
  readonly job: JobAggregate;
  readonly aggregates: AggregateStore;
}

/** Takes jobs that ended long ago out of the read models (docs/decisions/137-archived-jobs.md). */
export class JobArchive {
  constructor(
    private readonly stores: ArchivedStores,
    private readonly clock: Clock,
    private readonly afterMs: Milliseconds,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Oldest first. Resolves to the number of archived jobs. @throws UnavailableError */
  async run(signal?: AbortSignal): Promise<number> {
    const before = plus(this.clock.now(), -this.afterMs);
    let [seen, archived] = [0, 0];
    let after: string | undefined;
    do {
      const page = { limit: PAGE, ...(after !== undefined && { after }) };
      const { jobIds, next } = await this.stores.lists.endedBefore(before, page);
      for (let from = 0; from < jobIds.length && !signal?.aborted; from += AT_ONCE) {
        const done = await Promise.all(jobIds.slice(from, from + AT_ONCE).map((id) => this.archive(id)));
        archived += done.filter(Boolean).length;
      }
      seen += jobIds.length;
      after = next;
    } while (after !== undefined && seen < MAX_A_RUN && !signal?.aborted);
    return archived;
  }

  /** A job whose stream cannot be read stays, and does not hold up the others. */
  private async archive(jobId: string): Promise<boolean> {
    const { job, aggregates } = this.stores;
    const by = { actor: { kind: 'process', id: 'job-archive' }, correlationId: jobId } as const;
    try {
      const command = new ArchiveJob({ jobId, at: this.clock.now(), by });
      const outcome = await aggregates.execute(job, jobId, command);
      return outcome.ok && outcome.events.length > 0;
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.onError(error);
      return false;
    }
  }
}
