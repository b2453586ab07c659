import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isLostRace } from '../../async/retry.js';
import { settled } from '../../async/settled.js';
import { AggregateStore, ContentStore, EventStore } from '../../event-sourcing/index.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { accounts } from '../accounts/index.js';
import { SubmitJob, SubmitJobs, type JobDraft, type Submitted } from './coordinated.commands.js';
import { createdBy, SubmitJobHandler, type Circumstances, type PreparedJob } from './submit-job.handler.js';

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
  /** Reads account and printers again between two parts of a list, from memory if it is current. */
  private readonly heard: Pick<AggregateStore, 'load'> = {
    load: (aggregate, id) => this.aggregates.heard(aggregate, id),
  };

  constructor(
    private readonly alone: SubmitJobHandler,
    private readonly aggregates: AggregateStore,
    private readonly contents: ContentStore,
    private readonly events: EventStore,
  ) {}

  async execute({ accountId, jobs, at, by }: SubmitJobs): Promise<readonly Submitted[]> {
    const commands = jobs.map((job) => new SubmitJob({ ...job, at, by }));
    const answers: Submitted[] = [];
    const together = this.contents.sharesCommit ? commands.length : TOGETHER;
    for (let from = 0; from < commands.length; from += together) {
      const checked = await this.uncounted(accountId, from === 0 ? this.aggregates : this.heard);
      answers.push(...(await this.submitted(commands.slice(from, from + together), checked)));
    }
    await this.events.untilShown(answers.flatMap((answer) => (answer.ok && answer.events) || []));
    return answers;
  }

  /** Undefined for an account that counts its jobs, whose next job must wait for the one before, and for none. */
  private async uncounted(
    accountId: string,
    aggregates: Pick<AggregateStore, 'load'>,
  ): Promise<Circumstances | undefined> {
    const { state: account } = await aggregates.load(accounts, accountId);
    if (account.status === 'absent' || account.status === 'closed') return undefined;
    if (account.plan.jobsPerMonth !== null) return undefined;
    const targets = new Map<string, ReturnType<Circumstances['targetOf']>>();
    const targetOf = (draft: JobDraft) => {
      const target = targets.get(draft.printerId) ?? this.alone.targetOf(draft, aggregates);
      targets.set(draft.printerId, target);
      return target;
    };
    return { account, targetOf };
  }

  /** In the order of the commands. */
  private async submitted(
    commands: readonly SubmitJob[],
    checked: Circumstances | undefined,
  ): Promise<readonly Submitted[]> {
    const jobs = await this.held(commands, checked);
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
    checked: Circumstances | undefined,
  ): Promise<readonly Prepared[]> {
    if (!checked) return commands.map(() => undefined);
    const jobs = await Promise.all(commands.map((command) => this.alone.prepared(command, checked)));
    if (this.contents.sharesCommit) return jobs;
    const claimed = await settled(jobs.map(async (job) => job && this.appended(job.claim)));
    return jobs.map((job, n) => (claimed[n] ? job : undefined));
  }

  /**
   * An embedded store commits in the order of the calls, and many of them at once. On other stores the jobs of each
   * printer are stored in a row, beside those of the other printers.
   */
  private async stored(run: readonly PreparedJob[]): Promise<readonly Stored[]> {
    const { sharesCommit } = this.contents;
    const rows = sharesCommit ? run.map((job) => [job]) : byPrinter(run);
    const plansOf = ({ claim, jobs }: PreparedJob) => (sharesCommit ? [...claim, ...jobs] : jobs);
    const appended = await settled(rows.map((row) => this.appended(row.flatMap(plansOf))));
    const eventsOf = new Map(rows.flatMap((row, n) => row.map((job) => [job, appended[n]] as const)));
    if (sharesCommit) {
      const lost = run.filter((job) => !eventsOf.get(job));
      await Promise.all(lost.map(({ jobId }) => this.contents.delete(jobId)));
    }
    return run.map((job) => {
      const events = eventsOf.get(job);
      return events && createdBy(job, events);
    });
  }

  /** Undefined after a lost race. The views are waited for once, at the end. */
  private async appended(plans: PreparedJob['jobs']): Promise<readonly RecordedEvent[] | undefined> {
    try {
      return await this.aggregates.appendInOrder(plans, { consistency: 'durable' });
    } catch (error) {
      if (!isLostRace(error)) throw error;
      return undefined;
    }
  }
}

function byPrinter(jobs: readonly PreparedJob[]): readonly (readonly PreparedJob[])[] {
  const rows = new Map<string, PreparedJob[]>();
  for (const job of jobs) rows.set(job.printerId, [...(rows.get(job.printerId) ?? []), job]);
  return [...rows.values()];
}
