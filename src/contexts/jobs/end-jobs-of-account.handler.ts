import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { AggregateStore } from '../../runtime/aggregate-store.js';
import { accounts, SettleAccount } from '../accounts/index.js';
import { CancelJob } from './domain/job.commands.js';
import { EndJobsOfAccount } from './end-jobs-of-account.command.js';
import { JOB, type JobAggregate } from './job.aggregate.js';

const PAGE = 100;
const CANCELLABLE = ['queued', 'leased'] as const;

/** Cancels page by page until nothing is left, then says so; a crash in between starts it again. */
@CommandHandler(EndJobsOfAccount)
export class EndJobsOfAccountHandler implements ICommandHandler<EndJobsOfAccount> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly jobs: JobQueries,
  ) {}

  async execute(command: EndJobsOfAccount) {
    const { accountId, at, by } = command;
    for (const status of CANCELLABLE) await this.endAll(command, status);
    return this.aggregates.execute(accounts, accountId, new SettleAccount(accountId, at, by));
  }

  private async endAll(
    { accountId, at, by }: EndJobsOfAccount,
    status: (typeof CANCELLABLE)[number],
  ): Promise<void> {
    for (;;) {
      const { items } = await this.jobs.listJobs(accountId, { status }, { limit: PAGE, offset: 0 });
      const outcomes = await Promise.all(
        items.map((job) =>
          this.aggregates.execute(this.job, job.job_id, new CancelJob(job.job_id, 'account_closed', at, by)),
        ),
      );
      // What an agent has accepted meanwhile may finish.
      if (!outcomes.some((outcome) => outcome.ok && outcome.events.length > 0)) return;
    }
  }
}
