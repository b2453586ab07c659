import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PurgeContent } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { ContentStore, AggregateStore } from '../../event-sourcing/index.js';
import { epochMs, type Milliseconds, type Clock } from '../../kernel/time.js';
import type { JobLists } from './ports.js';
import { CorruptEventError } from '../../kernel/errors.js';

/**
 * Event first: a concurrent manual retry that wins keeps its content. The content sweep finishes after a
 * crash.
 */
@CommandHandler(PurgeContent)
export class PurgeContentHandler implements ICommandHandler<PurgeContent> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly contents: ContentStore,
  ) {}

  async execute(command: PurgeContent) {
    const outcome = await this.aggregates.execute(this.job, command.jobId, command);
    if (outcome.ok && !outcome.state.contentAvailable) await this.contents.delete(command.jobId);
    return outcome;
  }
}

/** Documents are stored before their jobs, so a younger one may still get its job. */
const YOUNG_MS: Milliseconds = 3_600_000;
const PAGE = 200;

export interface SweptStores {
  readonly contents: ContentStore;
  readonly lists: JobLists;
  readonly job: JobAggregate;
  readonly aggregates: AggregateStore;
}

/** Deletes documents without a job (interrupted creates) and those whose purge was interrupted. */
export class ContentSweep {
  constructor(
    private readonly stores: SweptStores,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  async sweep(signal?: AbortSignal): Promise<number> {
    const { contents } = this.stores;
    let deleted = 0;
    let after: string | undefined;
    do {
      const ids = await contents.ids(after, PAGE);
      after = ids.at(-1);
      const unneeded = await this.needless(ids);
      for (const id of unneeded) await contents.delete(id);
      deleted += unneeded.length;
    } while (after !== undefined && !signal?.aborted);
    return deleted;
  }

  /** The stream decides for documents that the lagging list does not show. */
  private async needless(ids: readonly string[]): Promise<readonly string[]> {
    const { lists } = this.stores;
    const old = ids.filter((id) => createdAt(id) + YOUNG_MS < epochMs(this.clock.now()));
    const needed = await lists.withContent(old);
    const needless: string[] = [];
    for (const id of old) {
      if (!needed.has(id) && !(await this.isAvailable(id))) needless.push(id);
    }
    return needless;
  }

  /** A document stays if its job's stream cannot be read. */
  private async isAvailable(id: string): Promise<boolean> {
    const { job, aggregates } = this.stores;
    try {
      return (await aggregates.load(job, id)).state.contentAvailable;
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.onError(error);
      return true;
    }
  }
}

function createdAt(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}
