import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { endAll } from '../../event-sourcing/write/end-all.js';
import { ParkRestoredJob } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists } from './ports.js';
import { ParkRestoredJobs, type RestoredJobsParked } from './park-restored-jobs.command.js';

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
