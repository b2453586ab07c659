import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { endAll } from '../../event-sourcing/write/end-all.js';
import { computers, isSuccession } from '../devices/index.js';
import { SuspectClone } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists } from './ports.js';
import { SuspectClones } from './suspect-clones.command.js';

/** Parks early what `RequeueForRetryHandler` would park when the retry is due. */
@CommandHandler(SuspectClones)
export class SuspectClonesHandler implements ICommandHandler<SuspectClones> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly lists: JobLists,
    private readonly events: EventStore,
  ) {}

  async execute(command: SuspectClones): Promise<void> {
    await endAll(this.events, {
      list: (page) => this.lists.retryingOfComputer(command.computerId, page),
      end: ({ jobId }) => this.suspect(jobId, command),
    });
  }

  private async suspect(jobId: string, { computerId, at, by }: SuspectClones): Promise<boolean> {
    const { state: computer } = await this.aggregates.load(computers, computerId);
    const { succession } = (await this.aggregates.load(this.job, jobId)).state;
    if (!succession || isSuccession(computer, succession.permitSession, succession.provenBy)) return false;
    const command = new SuspectClone(jobId, succession, at, by);
    const outcome = await this.aggregates.execute(this.job, jobId, command);
    return outcome.ok && outcome.events.length > 0;
  }
}
