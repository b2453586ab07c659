import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { earlier, type Instant } from '../../kernel/time.js';
import { Randomness } from '../../kernel/ids.js';
import { accounts } from '../accounts/index.js';
import {
  computers,
  hasFeature,
  isCurrentSession,
  TEXT_FEATURE,
  type Computer,
  type Printer,
} from '../devices/index.js';
import { GrantLease } from './domain/job.commands.js';
import { OPTIONS_FEATURE } from './domain/print-options.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import {
  LeaseJobs,
  MAX_LEASES,
  MAX_LEASES_PER_PRINTER,
  type Granted,
  type GrantedLease,
} from './coordinated.commands.js';
import { Limits } from './limits.js';
import { JobLists, type HeldLease, type QueuedJob } from './ports.js';
import { CorruptEventError } from '../../kernel/errors.js';
import { AggregateStore } from '../../event-sourcing/index.js';

interface Queue {
  readonly printer: Printer;
  /** Jobs with options are passed over otherwise. */
  readonly takesOptions: boolean;
  /** Text documents bring the printer's settings. */
  readonly takesText: boolean;
  readonly jobs: QueuedJob[];
  room: number;
  next: { readonly after?: string; readonly limit: number } | undefined;
}

/** Gives up after this many jobs; the list will have caught up by the next poll. */
const MAX_TRIED = 200;

@CommandHandler(LeaseJobs)
export class LeaseJobsHandler implements ICommandHandler<LeaseJobs> {
  private readonly logger = new Logger(LeaseJobsHandler.name);
  /** By computer: the printer with the last lease, if the poll ended at a limit. */
  private readonly lastServed = new Map<string, string>();

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
    private readonly lists: JobLists,
    private readonly limits: Limits,
  ) {}

  async execute(command: LeaseJobs): Promise<Granted> {
    const hasWork = await this.hasWork(command);
    if (!hasWork || command.isLook) return { leases: [], hasWork };
    return this.limits.leasesOf(command.computerId, (held) => this.lease(command, held));
  }

  /** Asked without lock or leader, since most polls find nothing. What is queued from now on wakes the poll. */
  private async hasWork(command: LeaseJobs): Promise<boolean> {
    const { state: computer } = await this.aggregates.heard(computers, command.computerId);
    const first = readyOf(computer.printers, command).map(({ printerId }) =>
      this.lists.queuedOfPrinter(printerId, { limit: 1 }),
    );
    return (await Promise.all(first)).some(({ jobs }) => jobs.length > 0);
  }

  private async lease(command: LeaseJobs, held: readonly HeldLease[]): Promise<Granted> {
    const free = Math.min(command.max, MAX_LEASES - held.length);
    if (free <= 0) return { leases: [], full: true };
    const { state: computer } = await this.aggregates.load(computers, command.computerId);
    if (!isCurrentSession(computer, command.sessionId)) return { leases: [], replaced: true };
    const { state: account } = await this.aggregates.load(accounts, computer.accountId);
    // A suspended account gets no leases, but its held jobs may finish.
    if (account.status !== 'active') return { leases: [] };
    const ready = readyOf(this.inTurn(computer), command);
    const takesOptions = hasFeature(computer, command.sessionId, OPTIONS_FEATURE);
    const takesText = hasFeature(computer, command.sessionId, TEXT_FEATURE);
    const queues = queuesOf(ready, held, free).map((queue) => ({ ...queue, takesOptions, takesText }));
    const full = queues.length < ready.length;
    const leases: GrantedLease[] = [];
    let lookAgainAt: Instant | undefined;
    try {
      for await (const queue of this.turns(queues)) {
        const granted = await this.grantOrPassOver(command, queue.jobs.shift()!, queue);
        if (typeof granted === 'string') lookAgainAt = earlier(granted, lookAgainAt ?? granted);
        else if (granted) {
          leases.push(granted);
          queue.room--;
        }
        if (leases.length < free) continue;
        if (queues.length > 1) this.lastServed.set(command.computerId, queue.printer.printerId);
        break;
      }
    } catch (error) {
      // The failed grant may be stored: its lease is not returned, but counts until it lapses.
      if (leases.length === 0) throw error;
    }
    return { leases, full, ...(lookAgainAt !== undefined && { lookAgainAt }) };
  }

  /** Starts after the printer at which the last full answer ended. */
  private inTurn({ computerId, printers }: Computer): readonly Printer[] {
    const served = this.lastServed.get(computerId);
    const start = printers.findIndex(({ printerId }) => printerId === served) + 1;
    return [...printers.slice(start), ...printers.slice(0, start)];
  }

  /** Round robin. Lists may lag, so a refused job ends its printer's turn. */
  private async *turns(all: readonly Queue[]): AsyncGenerator<Queue> {
    let tried = 0;
    for (let queues = all; queues.length > 0 && tried < MAX_TRIED; tried += queues.length) {
      await Promise.all(queues.map((queue) => this.fill(queue)));
      queues = queues.filter(({ jobs }) => jobs.length > 0);
      yield* queues;
      queues = queues.filter(({ room }) => room > 0);
    }
  }

  private async fill(queue: Queue): Promise<void> {
    while (queue.jobs.length === 0 && queue.next) {
      const { jobs, next } = await this.lists.queuedOfPrinter(queue.printer.printerId, queue.next);
      queue.jobs.push(...jobs.filter(({ options }) => queue.takesOptions || !options));
      queue.next =
        next === undefined ? undefined : { after: next, limit: Math.min(MAX_TRIED, 2 * queue.next.limit) };
    }
  }

  /** An unreadable job must not block the others. */
  private async grantOrPassOver(
    command: LeaseJobs,
    job: QueuedJob,
    queue: Queue,
  ): Promise<GrantedLease | Instant | undefined> {
    try {
      return await this.grant(command, job, queue);
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.logger.error(error);
      return undefined;
    }
  }

  /** Resolves to the lease, to the earliest time for one, or to undefined. */
  private async grant(
    { computerId, sessionId, at, by }: LeaseJobs,
    listed: QueuedJob,
    { printer, takesOptions, takesText }: Queue,
  ): Promise<GrantedLease | Instant | undefined> {
    const leaseId = this.randomness.uuid();
    const { jobId } = listed;
    const { printerId } = printer;
    const asked = { jobId, leaseId, printerId, computerId, sessionId, takesOptions };
    const command = new GrantLease({ ...asked, at, by });
    const outcome = await this.aggregates.execute(this.job, jobId, command);
    if (!outcome.ok) {
      const { rejection } = outcome;
      return rejection.code === 'JobNotGrantableYet' ? rejection.until : undefined;
    }
    const { lease, options } = outcome.state;
    if (lease?.leaseId !== leaseId) return undefined;
    const { fence, until: leaseUntil } = lease;
    const job = { ...listed, options }; // A list that an older release keeps has no options.
    const text = takesText && job.contentType === 'text' ? (printer.text ?? undefined) : undefined;
    return { leaseId, fence, leaseUntil, job, printerKey: printer.printerKey, text, events: outcome.events };
  }
}

function readyOf(printers: readonly Printer[], { busy }: LeaseJobs): readonly Printer[] {
  return printers.filter(
    ({ status, paused, printerKey }) => status === 'online' && !paused && !busy.includes(printerKey),
  );
}

function queuesOf(
  printers: readonly Printer[],
  held: readonly HeldLease[],
  free: number,
): Omit<Queue, 'takesOptions' | 'takesText'>[] {
  const counts = new Map<string, number>();
  for (const { printerId } of held) counts.set(printerId, (counts.get(printerId) ?? 0) + 1);
  return printers
    .map((printer) => ({ printer, room: MAX_LEASES_PER_PRINTER - (counts.get(printer.printerId) ?? 0) }))
    .filter(({ room }) => room > 0)
    .map((queue) => ({ ...queue, jobs: [], next: { limit: Math.min(free, queue.room) } }));
}
