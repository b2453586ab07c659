import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isLostRace } from '../../async/retry.js';
import { AggregateStore, ContentStore } from '../../event-sourcing/index.js';
import { accounts } from '../accounts/index.js';
import { SubmitJob, SubmitJobs, type Submitted } from './coordinated.commands.js';
import { createdBy, SubmitJobHandler, type PreparedJob } from './submit-job.handler.js';

/** Jobs stored at once on stores without a common commit. */
const AT_ONCE = 16;

type Stored = Submitted | undefined;

/**
 * Jobs under new keys are stored together. Every other one, and one that loses the race for its key, is submitted
 * alone, which repeats and refuses it as a request of its own.
 */
@CommandHandler(SubmitJobs)
export class SubmitJobsHandler implements ICommandHandler<SubmitJobs> {
  constructor(
    private readonly alone: SubmitJobHandler,
    private readonly aggregates: AggregateStore,
    private readonly contents: ContentStore,
  ) {}

  async execute({ accountId, jobs, at, by }: SubmitJobs): Promise<readonly Submitted[]> {
    const commands = jobs.map((job) => new SubmitJob({ ...job, at, by }));
    const stored = await this.storedTogether(accountId, commands);
    const answers: Submitted[] = [];
    for (const [n, command] of commands.entries()) {
      answers.push(stored[n] ?? (await this.alone.execute(command)));
    }
    return answers;
  }

  /** None of an account that must count its jobs: each of them waits for the one before. */
  private async storedTogether(
    accountId: string,
    commands: readonly SubmitJob[],
  ): Promise<readonly Stored[]> {
    const { state: account } = await this.aggregates.load(accounts, accountId);
    if (account.status === 'absent' || account.status === 'closed') return [];
    if (account.plan.jobsPerMonth !== null) return [];
    const jobs = await Promise.all(commands.map((command) => this.alone.prepared(command, account)));
    return this.contents.sharesCommit ? this.committed(jobs) : this.inSteps(jobs);
  }

  /** The store commits in the order of the calls, and many of them at once. */
  private async committed(jobs: readonly (PreparedJob | undefined)[]): Promise<readonly Stored[]> {
    await Promise.all(jobs.map(async (job) => job && this.contents.put(job.jobId, job.content)));
    return settled(jobs.map(async (job) => job && this.append(job, [...job.claim, ...job.jobs])));
  }

  /** Claims first, because a job that loses its key must store no content. */
  private async inSteps(jobs: readonly (PreparedJob | undefined)[]): Promise<readonly Stored[]> {
    const held: (PreparedJob | undefined)[] = [];
    for (let from = 0; from < jobs.length; from += AT_ONCE) {
      const some = jobs.slice(from, from + AT_ONCE);
      const claimed = await settled(some.map(async (job) => job && this.append(job, job.claim)));
      const kept = some.map((job, n) => claimed[n] && job);
      await Promise.all(kept.map(async (job) => job && this.contents.put(job.jobId, job.content)));
      held.push(...kept);
    }
    const stored = new Map<PreparedJob, Submitted>();
    const append = async (queue: readonly PreparedJob[]) => {
      const events = await this.aggregates.appendInOrder(queue.flatMap(({ jobs: planned }) => planned));
      for (const job of queue) stored.set(job, createdBy(job, events));
    };
    await settled(queuesOf(held).map(append));
    return held.map((job) => job && stored.get(job));
  }

  /** Undefined after a lost race. */
  private async append(job: PreparedJob, plans: PreparedJob['jobs']): Promise<Stored> {
    try {
      return createdBy(job, await this.aggregates.appendInOrder(plans));
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (this.contents.sharesCommit) await this.contents.delete(job.jobId);
      return undefined;
    }
  }
}

/** By printer, in the order of the list. */
function queuesOf(jobs: readonly (PreparedJob | undefined)[]): readonly (readonly PreparedJob[])[] {
  const queues = new Map<string, PreparedJob[]>();
  for (const job of jobs) {
    if (job) queues.set(job.printerId, [...(queues.get(job.printerId) ?? []), job]);
  }
  return [...queues.values()];
}

/** Waits for all before it fails, so that nothing goes on after the answer. */
async function settled<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
