import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AggregateStore, type Outcome } from '../../runtime/aggregate-store.js';
import { accounts } from '../accounts/index.js';
import { EndRetry, RequeueForRetry } from './domain/job.commands.js';
import type { JobRejection } from './domain/job.decider.js';
import type { JobEvent } from './domain/job.events.js';
import type { Job } from './domain/job.state.js';
import { JOB, type JobAggregate } from './job.aggregate.js';

/** For a closed account nobody prints: what would wait for its expiry there ends at once, as all else of it did. */
@CommandHandler(RequeueForRetry)
export class RequeueForRetryHandler implements ICommandHandler<
  RequeueForRetry,
  Outcome<Job, JobEvent, JobRejection>
> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
  ) {}

  async execute(command: RequeueForRetry): Promise<Outcome<Job, JobEvent, JobRejection>> {
    const { jobId, fence, at, by } = command;
    const { state: job } = await this.aggregates.load(this.job, jobId);
    const { state: account } = await this.aggregates.load(accounts, job.accountId);
    const isClosed = account.status === 'closed';
    const due = isClosed ? new EndRetry(jobId, fence, 'account_closed', at, by) : command;
    return this.aggregates.execute(this.job, jobId, due);
  }
}
