import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AggregateStore, EventStore } from '../../event-sourcing/index.js';
import { accounts } from '../accounts/index.js';
import { ClearQueue, MoveQueue, type QueueStepped } from './coordinated.commands.js';
import { CancelJob, MoveJob } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists, PrinterDirectory, type QueuedJob } from './ports.js';
import { closedTarget, obstacleAt, printerRef, printTarget } from './print-target.js';

/** Of one step, which one request waits for. */
const MAX_JOBS = 1_000;
const PAGE = 100;

type Step = Pick<ClearQueue, 'accountId' | 'printerId' | 'createdUntil' | 'after'>;

/** @param act resolves to false if the job stays */
async function step(
  { events, lists }: { readonly events: Pick<EventStore, 'waitUntilProjected'>; readonly lists: JobLists },
  { accountId, printerId, createdUntil, after }: Step,
  act: (job: QueuedJob) => Promise<boolean>,
): Promise<QueueStepped> {
  // Jobs that were answered before the request are on the list.
  await events.waitUntilProjected();
  let [done, left, next] = [0, 0, after];
  do {
    const page = { limit: PAGE, ...(next !== undefined && { after: next }) };
    const { jobs, next: following } = await lists.waitingOfPrinter(accountId, printerId, page);
    const due = jobs.filter(({ createdAt }) => createdAt <= createdUntil);
    const acted = (await Promise.all(due.map(act))).filter(Boolean).length;
    done += acted;
    left += due.length - acted;
    // One job of an instance whose clock is ahead does not end it.
    next = due.length === 0 ? undefined : following;
  } while (next !== undefined && done + left < MAX_JOBS);
  return { ok: true, done, left, ...(next !== undefined && { next }) };
}

@CommandHandler(ClearQueue)
export class ClearQueueHandler implements ICommandHandler<ClearQueue> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly lists: JobLists,
  ) {}

  execute(command: ClearQueue): Promise<QueueStepped> {
    const { printerId: queueOf, at, by } = command;
    return step({ events: this.events, lists: this.lists }, command, async ({ jobId }) => {
      const cancel = new CancelJob({ jobId, reason: 'queue_cleared', queueOf, at, by });
      return (await this.aggregates.execute(this.job, jobId, cancel)).ok;
    });
  }
}

@CommandHandler(MoveQueue)
export class MoveQueueHandler implements ICommandHandler<MoveQueue> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly lists: JobLists,
    private readonly printers: PrinterDirectory,
  ) {}

  async execute(command: MoveQueue) {
    const { accountId, printerId: fromPrinterId, toPrinterId: printerId, at, by } = command;
    const target = await printTarget(this.printers, this.aggregates, { accountId, printerId });
    const { state: account } = await this.aggregates.load(accounts, accountId);
    if (!target || account.status === 'absent') return refused('PrinterNotFound');
    const closed = closedTarget(target, account);
    if (closed) return refused(closed.code);
    const to = printerRef(target);
    return step({ events: this.events, lists: this.lists }, command, async (job) => {
      if (obstacleAt(target, account, job)) return false;
      const { jobId } = job;
      const move = new MoveJob({ jobId, fromPrinterId, to, at, by });
      const outcome = await this.aggregates.execute(this.job, jobId, move);
      return outcome.ok && outcome.events.length > 0;
    });
  }
}

const refused = <const Code extends string>(code: Code) => ({ ok: false, rejection: { code } }) as const;
