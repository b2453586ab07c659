import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { endAll } from '../../event-sourcing/write/end-all.js';
import { accounts, SettleAccount } from '../accounts/index.js';
import { CancelJob } from './domain/job.commands.js';
import { EndJobsOfAccount } from './coordinated.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists } from './ports.js';

/** Cancels until no job is left, then settles the account; repeated after a crash in between. */
@CommandHandler(EndJobsOfAccount)
export class EndJobsOfAccountHandler implements ICommandHandler<EndJobsOfAccount> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly lists: JobLists,
    private readonly events: EventStore,
  ) {}

  async execute(command: EndJobsOfAccount) {
    const { accountId, at, by } = command;
    await endAll(this.events, {
      list: (page) => this.lists.cancellableOfAccount(accountId, page),
      end: ({ jobId }) => this.cancel(jobId, command),
    });
    return this.aggregates.execute(accounts, accountId, new SettleAccount(accountId, at, by));
  }

  private async cancel(jobId: string, { at, by }: EndJobsOfAccount): Promise<boolean> {
    await this.aggregates.execute(this.job, jobId, new CancelJob(jobId, 'account_closed', at, by));
    // A job that cannot be cancelled has left the list too: it ended, or an Agent has accepted it and may finish it.
    return true;
  }
}
