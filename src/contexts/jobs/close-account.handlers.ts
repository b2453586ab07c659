import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accounts, CloseAccount, SettleAccount } from '../accounts/index.js';
import { EndJobsOfAccount } from './coordinated.commands.js';
import { AggregateStore, EventStore, endAll } from '../../event-sourcing/index.js';
import { Inject } from '@nestjs/common';
import { computers, RevokeComputer } from '../devices/index.js';
import { CancelJob } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { ComputerLists, JobLists } from './ports.js';

/** Safe to repeat after a crash. */
@CommandHandler(EndJobsOfAccount)
export class EndJobsOfAccountHandler implements ICommandHandler<EndJobsOfAccount> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly lists: JobLists,
    private readonly computerLists: ComputerLists,
    private readonly events: EventStore,
  ) {}

  async execute(command: EndJobsOfAccount) {
    const { accountId, at, by } = command;
    await this.end(command);
    return this.aggregates.execute(accounts, accountId, new SettleAccount({ accountId, at, by }));
  }

  /** @param atMost approximate number of jobs; absent: all */
  async end(command: EndJobsOfAccount, atMost?: number): Promise<void> {
    const { accountId } = command;
    await endAll(this.events, {
      list: (page) => this.computerLists.unrevokedOfAccount(accountId, page),
      end: (computerId) => this.revoke(computerId, command),
    });
    await endAll(this.events, {
      list: (page) => this.lists.cancellableOfAccount(accountId, page),
      end: ({ jobId }) => this.cancel(jobId, command),
      atMost,
    });
  }

  private async revoke(computerId: string, { at, by }: EndJobsOfAccount): Promise<boolean> {
    await this.aggregates.execute(
      computers,
      computerId,
      new RevokeComputer({ computerId, reason: 'account_closed', at, by }),
    );
    return true;
  }

  private async cancel(jobId: string, { at, by }: EndJobsOfAccount): Promise<boolean> {
    await this.aggregates.execute(
      this.job,
      jobId,
      new CancelJob({ jobId, reason: 'account_closed', at, by }),
    );
    // A job that cannot be cancelled has ended or belongs to an agent, and left the list too.
    return true;
  }
}

/** The process `account-closure` cancels further jobs. */
const CANCELLED_BEFORE_ANSWER = 1_000;

/** Ends the account's jobs before the answer, so that the client can read the result. */
@CommandHandler(CloseAccount)
export class CloseAccountHandler implements ICommandHandler<CloseAccount> {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly ending: EndJobsOfAccountHandler,
  ) {}

  async execute(command: CloseAccount) {
    const { accountId, at, by } = command;
    const closed = await this.aggregates.execute(accounts, accountId, command);
    if (closed.ok)
      await this.ending.end(new EndJobsOfAccount({ accountId, at, by }), CANCELLED_BEFORE_ANSWER);
    return closed;
  }
}
