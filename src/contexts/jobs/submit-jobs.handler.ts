import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isLostRace } from '../../async/retry.js';
import { AggregateStore, ContentStore } from '../../event-sourcing/index.js';
import { accounts } from '../accounts/index.js';
import { SubmitJob, SubmitJobs, type Submitted } from './coordinated.commands.js';
import type { OpenAccount } from './print-target.js';
import { createdBy, SubmitJobHandler, type PreparedJob } from './submit-job.handler.js';

/** Jobs stored together on stores without a common commit. */
const TOGETHER = 16;

type Prepared = PreparedJob | undefined;
type Stored = Submitted | undefined;

/**
 * Jobs under new keys are stored together. Every other one, and one that loses the race for its key, is submitted alone
 * in its place, which repeats and refuses it as a request of its own.
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
    const account = await this.uncounted(accountId);
    const answers: Submitted[] = [];
    const together = this.contents.sharesCommit ? commands.length : TOGETHER;
    for (let from = 0; from < commands.length; from += together) {
      answers.push(...(await this.submitted(commands.slice(from, from + together), account)));
    }
    return answers;
  }

  /** Undefined for an account that counts its jobs, whose next job must wait for the one before, and for none. */
  private async uncounted(accountId: string): Promise<OpenAccount | undefined> {
    const { state: account } = await this.aggregates.load(accounts, accountId);
    if (account.status === 'absent' || account.status === 'closed') return undefined;
    return account.plan.jobsPerMonth === null ? account : undefined;
  }

  /** In the order of the commands. */
  private async submitted(
    commands: readonly SubmitJob[],
    account: OpenAccount | undefined,
  ): Promise<readonly Submitted[]> {
    const jobs = await this.held(commands, account);
    await Promise.all(jobs.map(async (job) => job && this.contents.put(job.jobId, job.content)));
    const answers: Submitted[] = [];
    while (answers.length < commands.length) {
      const start = answers.length;
      const next = jobs.findIndex((job, n) => n >= start && !job);
      const run = jobs.slice(start, next < 0 ? commands.length : next) as readonly PreparedJob[];
      const stored = run.length > 0 ? await this.stored(run) : [undefined];
      for (const [n, answer] of stored.entries())
        answers.push(answer ?? (await this.alone.execute(commands[start + n]!)));
    }
    return answers;
  }

  /** Without a common commit the claims come first, because a job that loses its key must store no content. */
  private async held(
    commands: readonly SubmitJob[],
    account: OpenAccount | undefined,
  ): Promise<readonly Prepared[]> {
    if (!account) return commands.map(() => undefined);
    const jobs = await Promise.all(commands.map((command) => this.alone.prepared(command, account)));
    if (this.contents.sharesCommit) return jobs;
    const claimed = await settled(jobs.map(async (job) => job && this.appended([job], job.claim)));
    return jobs.map((job, n) => (claimed[n]?.[0] ? job : undefined));
  }

  /** An embedded store commits in the order of the calls, and many of them at once. */
  private async stored(run: readonly PreparedJob[]): Promise<readonly Stored[]> {
    if (!this.contents.sharesCommit)
      return this.appended(
        run,
        run.flatMap(({ jobs }) => jobs),
      );
    const stored = await settled(run.map((job) => this.appended([job], [...job.claim, ...job.jobs])));
    const lost = run.filter((_, n) => !stored[n]![0]);
    await Promise.all(lost.map(({ jobId }) => this.contents.delete(jobId)));
    return stored.flat();
  }

  /** Undefined for each job after a lost race. */
  private async appended(
    jobs: readonly PreparedJob[],
    plans: PreparedJob['jobs'],
  ): Promise<readonly Stored[]> {
    try {
      const events = await this.aggregates.appendInOrder(plans);
      return jobs.map((job) => createdBy(job, events));
    } catch (error) {
      if (!isLostRace(error)) throw error;
      return jobs.map(() => undefined);
    }
  }
}

/** Waits for all before it fails, so that nothing goes on after the answer. */
async function settled<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
