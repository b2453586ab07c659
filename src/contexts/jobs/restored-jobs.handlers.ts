import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
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
import { CorruptEventError } from '../../kernel/errors.js';
import { EventStore, AggregateStore, endAll } from '../../event-sourcing/index.js';

/** Safe to repeat and to run on several instances. @throws UnavailableError while read models lag */
@CommandHandler(ParkRestoredJobs)
export class ParkRestoredJobsHandler implements ICommandHandler<ParkRestoredJobs> {
  private readonly logger = new Logger(ParkRestoredJobsHandler.name);

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
        const outcome = await this.parkReadable(jobId, command);
        if (outcome?.ok && outcome.events.length > 0) parked++;
        // A job parked by another instance has left the list too.
        return outcome?.ok ?? false;
      },
    });
    return { parked };
  }

  /** An unreadable job is never leased, so it need not be parked. */
  private async parkReadable(jobId: string, { backupAt, at, by }: ParkRestoredJobs) {
    try {
      return await this.aggregates.execute(this.job, jobId, new ParkRestoredJob({ jobId, backupAt, at, by }));
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.logger.error(error);
      return undefined;
    }
  }
}

const REASON = 'released after a restore';

/** Safe to repeat: released jobs have left the list. */
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
    const outcome = await this.aggregates.execute(
      this.job,
      jobId,
      new RetryJob({ jobId, reason: REASON, at, by }),
    );
    return outcome.ok;
  }
}

function isMeant({ restoredAt }: ListedJob, { parkedBefore }: ReleaseRestoredJobs): boolean {
  return restoredAt !== undefined && restoredAt < parkedBefore;
}
