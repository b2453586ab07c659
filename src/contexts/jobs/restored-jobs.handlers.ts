import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { endAll } from '../../event-sourcing/write/end-all.js';
import { accounts } from '../accounts/index.js';
import { ParkRestoredJob, RetryJob } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists, type ListedJob } from './ports.js';
import {
  ParkRestoredJobs,
  ReleaseRestoredJobs,
  type RestoredJobsParked,
  type RestoredJobsReleased,
} from './coordinated.commands.js';

/**
 * Parks until no job is left that may be handed out, a hundred at a time. Safe to repeat and to run on several
 * instances: each ends only when it finds none left.
 * @throws UnavailableError while the read models are not up to date
 */
@CommandHandler(ParkRestoredJobs)
export class ParkRestoredJobsHandler implements ICommandHandler<ParkRestoredJobs> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly lists: JobLists,
    private readonly events: EventStore,
  ) {}

  async execute(command: ParkRestoredJobs): Promise<RestoredJobsParked> {
    let parked = 0;
    await endAll(this.events, {
      list: (page) => this.lists.leasable(page),
      end: async ({ jobId }) => {
        const outcome = await this.park(jobId, command);
        if (outcome.ok && outcome.events.length > 0) parked++;
        // A job parked by another instance has left the list too.
        return outcome.ok;
      },
    });
    return { parked };
  }

  private park(jobId: string, { backupAt, at, by }: ParkRestoredJobs) {
    return this.aggregates.execute(this.job, jobId, new ParkRestoredJob(jobId, backupAt, at, by));
  }
}

const REASON = 'released after a restore';

/** Retries a hundred jobs at a time. Safe to repeat: released jobs have left the list. */
@CommandHandler(ReleaseRestoredJobs)
export class ReleaseRestoredJobsHandler implements ICommandHandler<ReleaseRestoredJobs> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly lists: JobLists,
    private readonly events: EventStore,
  ) {}

  async execute(command: ReleaseRestoredJobs): Promise<RestoredJobsReleased> {
    let released = 0;
    const skipped = new Set<string>();
    await endAll(this.events, {
      list: (page) => this.lists.inReview(page),
      end: async (listed) => {
        if (!isMeant(listed, command)) return false;
        const isReleased = await this.release(listed.jobId, command);
        if (isReleased) released++;
        else skipped.add(listed.jobId);
        return isReleased;
      },
    });
    return { released, skipped: skipped.size };
  }

  private async release(jobId: string, { at, by }: ReleaseRestoredJobs): Promise<boolean> {
    const { state: job } = await this.aggregates.load(this.job, jobId);
    const { state: account } = await this.aggregates.load(accounts, job.accountId);
    if (account.status === 'closed') return false;
    const outcome = await this.aggregates.execute(this.job, jobId, new RetryJob(jobId, REASON, at, by));
    return outcome.ok;
  }
}

function isMeant({ restoredAt }: ListedJob, { parkedBefore }: ReleaseRestoredJobs): boolean {
  return restoredAt !== undefined && restoredAt < parkedBefore;
}
