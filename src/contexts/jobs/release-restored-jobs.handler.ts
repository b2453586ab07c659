import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { endAll } from '../../event-sourcing/write/end-all.js';
import { RetryJob } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { ReleaseRestoredJobs, type RestoredJobsReleased } from './release-restored-jobs.command.js';

const REASON = 'released after a restore';

/** Retries account by account, a hundred jobs at a time. Repeats are harmless: what is released has left the list. */
@CommandHandler(ReleaseRestoredJobs)
export class ReleaseRestoredJobsHandler implements ICommandHandler<ReleaseRestoredJobs> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly accounts: AccountQueries,
    private readonly jobs: JobQueries,
    private readonly events: EventStore,
  ) {}

  async execute(command: ReleaseRestoredJobs): Promise<RestoredJobsReleased> {
    let released = 0;
    const skipped = new Set<string>();
    await this.events.allShown();
    for await (const { account_id: accountId, status } of this.accounts.everyAccount()) {
      await endAll(this.events, {
        list: async (page) => (await this.jobs.listJobs(accountId, { status: 'manual_review' }, page)).items,
        end: async (job) => {
          if (!isMeant(job, command)) return false;
          const isReleased = status !== 'closed' && (await this.release(job.job_id, command));
          if (isReleased) released++;
          else skipped.add(job.job_id);
          return isReleased;
        },
      });
    }
    return { released, skipped: skipped.size };
  }

  private async release(jobId: string, { at, by }: ReleaseRestoredJobs): Promise<boolean> {
    const outcome = await this.aggregates.execute(this.job, jobId, new RetryJob(jobId, REASON, at, by));
    return outcome.ok;
  }
}

function isMeant(job: JobDocument, { parkedBefore }: ReleaseRestoredJobs): boolean {
  return job.failure_code === 'RESTORED' && (job.manual_review_at ?? parkedBefore) < parkedBefore;
}
