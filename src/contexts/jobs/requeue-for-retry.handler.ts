import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accounts } from '../accounts/index.js';
import { computers, isSuccession } from '../devices/index.js';
import { EndRetry, RequeueForRetry, SuspectClone } from './domain/job.commands.js';
import type { Job } from './domain/job.state.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists } from './ports.js';
import { SuspectClones } from './coordinated.commands.js';
import { AggregateStore, EventStore, endAll } from '../../event-sourcing/index.js';

/** Checks the older session's silence again, because its call may arrive after the proof. */
@CommandHandler(RequeueForRetry)
export class RequeueForRetryHandler implements ICommandHandler<RequeueForRetry> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
  ) {}

  async execute(command: RequeueForRetry) {
    const { jobId, fence, at, by } = command;
    const { state: job } = await this.aggregates.load(this.job, jobId);
    const suspicion = await suspicionOf(this.aggregates, job, command);
    if (suspicion) return this.aggregates.execute(this.job, jobId, suspicion);
    const { state: account } = await this.aggregates.load(accounts, job.accountId);
    const isClosed = account.status === 'closed';
    const due = isClosed ? new EndRetry({ jobId, fence, reason: 'account_closed', at, by }) : command;
    return this.aggregates.execute(this.job, jobId, due);
  }
}

/** Parks jobs early that `RequeueForRetryHandler` would park when the retry is due. */
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

  private async suspect(jobId: string, { at, by }: SuspectClones): Promise<boolean> {
    const { state: job } = await this.aggregates.load(this.job, jobId);
    const suspicion = await suspicionOf(this.aggregates, job, { jobId, at, by });
    if (!suspicion) return false;
    const outcome = await this.aggregates.execute(this.job, jobId, suspicion);
    return outcome.ok && outcome.events.length > 0;
  }
}

/** Parks the job if its retry relies on a proof by a session that is no restart of the permit's. */
async function suspicionOf(
  aggregates: AggregateStore,
  { computerId, succession }: Job,
  { jobId, at, by }: Pick<SuspectClone, 'jobId' | 'at' | 'by'>,
): Promise<SuspectClone | undefined> {
  if (!succession) return undefined;
  const { state: computer } = await aggregates.load(computers, computerId);
  const isBelieved = isSuccession(computer, succession.permitSession, succession.provenBy);
  return isBelieved ? undefined : new SuspectClone({ jobId, succession, at, by });
}
