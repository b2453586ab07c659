import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PurgeContent } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { ContentStore, AggregateStore } from '../../event-sourcing/index.js';

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
