import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { earlier, epochMs, type Instant } from '../../kernel/time.js';
import { CorruptEventError } from '../../ports/event-store.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { accounts } from '../accounts/index.js';
import { computers, type Printer } from '../devices/index.js';
import { GrantLease } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { LeaseJobs, type Granted, type GrantedLease } from './coordinated.commands.js';
import { Limits } from './limits.js';
import { JobLists, type QueuedJob } from './ports.js';

interface Waiting {
  readonly job: QueuedJob;
  readonly printer: Printer;
}

/** The remaining queue of a printer. */
interface Queue {
  readonly printer: Printer;
  readonly after?: string;
}

/** A poll gives up after this many jobs; the list will have caught up by the next poll. */
const MAX_SEEN = 200;

@CommandHandler(LeaseJobs)
export class LeaseJobsHandler implements ICommandHandler<LeaseJobs> {
  private readonly logger = new Logger(LeaseJobsHandler.name);

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
    private readonly lists: JobLists,
    private readonly limits: Limits,
  ) {}

  execute(command: LeaseJobs): Promise<Granted> {
    return this.limits.leasesOf(command.computerId, (free) =>
      this.lease(command, Math.min(command.max, free)),
    );
  }

  private async lease(command: LeaseJobs, free: number): Promise<Granted> {
    if (free <= 0) return { leases: [] };
    const { state: computer } = await this.aggregates.load(computers, command.computerId);
    const { state: account } = await this.aggregates.load(accounts, computer.accountId);
    // A suspended account gets no leases, but jobs that it holds may finish.
    if (account.status !== 'active') return { leases: [] };
    const leases: GrantedLease[] = [];
    let lookAgainAt: Instant | undefined;
    try {
      for await (const waiting of this.waiting(computer.printers, free)) {
        const granted = await this.grantOrPassOver(command, waiting);
        if (typeof granted === 'string') lookAgainAt = earlier(granted, lookAgainAt ?? granted);
        else if (granted) leases.push(granted);
        if (leases.length === free) break;
      }
    } catch (error) {
      // The failed grant may be stored. Its lease is not returned, but counts until it lapses.
      if (leases.length === 0) throw error;
    }
    return { leases, ...(lookAgainAt !== undefined && { lookAgainAt }) };
  }

  /**
   * Jobs listed as queued for the computer's ready printers, page by page, oldest first in each. The list may
   * lag: if all grants of a page are rejected, the next page is tried.
   */
  private async *waiting(printers: readonly Printer[], free: number): AsyncGenerator<Waiting> {
    const ready = printers.filter(({ status }) => status === 'online');
    let queues: readonly Queue[] = ready.map((printer) => ({ printer }));
    for (let seen = 0, limit = free; queues.length > 0 && seen < MAX_SEEN; limit *= 2) {
      const pages = await Promise.all(queues.map((queue) => this.pageOf(queue, limit)));
      // Jobs of the same millisecond keep the order of their queue.
      const page = pages
        .flatMap(({ jobs }) => jobs)
        .sort((a, b) => epochMs(a.job.createdAt) - epochMs(b.job.createdAt));
      yield* page;
      seen += page.length;
      queues = pages.flatMap(({ rest }) => rest);
    }
  }

  private async pageOf({ printer, after }: Queue, limit: number) {
    const page = { limit, ...(after !== undefined && { after }) };
    const { jobs, next } = await this.lists.queuedOfPrinter(printer.printerId, page);
    const waiting: readonly Waiting[] = jobs.map((job) => ({ job, printer }));
    const rest: readonly Queue[] = next === undefined ? [] : [{ printer, after: next }];
    return { jobs: waiting, rest };
  }

  /** A job that cannot be read must not block the others. */
  private async grantOrPassOver(
    command: LeaseJobs,
    waiting: Waiting,
  ): Promise<GrantedLease | Instant | undefined> {
    try {
      return await this.grant(command, waiting);
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.logger.error(error);
      return undefined;
    }
  }

  /** Resolves to the lease, to the earliest time for one, or to undefined. */
  private async grant(
    { computerId, sessionId, at, by }: LeaseJobs,
    { job, printer }: Waiting,
  ): Promise<GrantedLease | Instant | undefined> {
    const leaseId = this.randomness.uuid();
    const command = new GrantLease(job.jobId, leaseId, computerId, sessionId, at, by);
    const outcome = await this.aggregates.execute(this.job, job.jobId, command);
    if (!outcome.ok) {
      const { rejection } = outcome;
      return rejection.code === 'JobNotGrantableYet' ? rejection.until : undefined;
    }
    const { lease } = outcome.state;
    if (lease?.leaseId !== leaseId) return undefined;
    const { fence, until: leaseUntil } = lease;
    return { leaseId, fence, leaseUntil, job, printerKey: printer.printerKey, events: outcome.events };
  }
}
