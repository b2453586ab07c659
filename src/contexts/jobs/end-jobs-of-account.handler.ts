import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { endAll } from '../../event-sourcing/write/end-all.js';
import { accounts, SettleAccount } from '../accounts/index.js';
import { CancelJob } from './domain/job.commands.js';
import { EndJobsOfAccount } from './end-jobs-of-account.command.js';
import { JOB, type JobAggregate } from './job.aggregate.js';

const CANCELLABLE = ['queued', 'leased'] as const;

/** Cancels until nothing is left, then says so; a crash in between starts it again. */
@CommandHandler(EndJobsOfAccount)
export class EndJobsOfAccountHandler implements ICommandHandler<EndJobsOfAccount> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly jobs: JobQueries,
    private readonly events: EventStore,
  ) {}

  async execute(command: EndJobsOfAccount) {
    const { accountId, at, by } = command;
    for (const status of CANCELLABLE) {
      await endAll(this.events, {
        list: async (page) => (await this.jobs.listJobs(accountId, { status }, page)).items,
        end: ({ job_id: jobId }) => this.cancel(jobId, command),
      });
    }
    return this.aggregates.execute(accounts, accountId, new SettleAccount(accountId, at, by));
  }

  private async cancel(jobId: string, { at, by }: EndJobsOfAccount): Promise<boolean> {
    const outcome = await this.aggregates.execute(
      this.job,
      jobId,
      new CancelJob(jobId, 'account_closed', at, by),
    );
    // What an agent has accepted meanwhile may finish.
    return outcome.ok && outcome.events.length > 0;
  }
}
