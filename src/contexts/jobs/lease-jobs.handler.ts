import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import type { PrinterDocument } from '../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { earlier, epochMs, type Instant } from '../../kernel/time.js';
import { CorruptEventError } from '../../ports/event-store.port.js';
import { Locks } from '../../ports/locks.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import type { Birth } from '../../ports/view-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { GrantLease } from './domain/job.commands.js';
import { HeldLeases } from './held-leases.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { LeaseJobs, MAX_LEASES, type Granted, type GrantedLease } from './lease-jobs.command.js';

interface Waiting {
  readonly job: JobDocument;
  readonly printer: PrinterDocument;
}

/** What is left of a printer's queue. */
interface Queue {
  readonly printer: PrinterDocument;
  readonly after?: Birth | undefined;
}

/** Having seen so many jobs a look goes no further: at the next, the read model has moved on. */
const MOST_SEEN = 200;

@CommandHandler(LeaseJobs)
export class LeaseJobsHandler implements ICommandHandler<LeaseJobs> {
  private readonly logger = new Logger(LeaseJobsHandler.name);

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
    private readonly printers: PrinterQueries,
    private readonly jobs: JobQueries,
    private readonly held: HeldLeases,
    private readonly locks: Locks,
  ) {}

  execute(command: LeaseJobs): Promise<Granted> {
    // Two polls of one computer together must not pass its number of leases.
    return this.locks.run(`leases of ${command.computerId}`, () => this.lease(command));
  }

  private async lease(command: LeaseJobs): Promise<Granted> {
    const held = await this.held.of(command.computerId);
    const free = Math.min(command.max, MAX_LEASES - held.length);
    if (free <= 0) return { leases: [] };
    const leases: GrantedLease[] = [];
    let lookAgainAt: Instant | undefined;
    try {
      for await (const { job, printer } of this.waiting(command.computerId, free)) {
        const granted = await this.grantOrPassOver(command, job, printer);
        if (typeof granted === 'string') lookAgainAt = earlier(granted, lookAgainAt ?? granted);
        else if (granted) leases.push(granted);
        if (leases.length === free) break;
      }
    } catch (error) {
      // What is granted and not told lapses unused. The one that failed may be granted too: nobody knows, it lapses.
      if (leases.length === 0) throw error;
    }
    return { leases, ...(lookAgainAt !== undefined && { lookAgainAt }) };
  }

  /**
   * Jobs of the computer's ready printers that are shown as queued, page by page, oldest first in each. Whoever is
   * refused those of one page, because the read model lags, finds what really waits in the next.
   */
  private async *waiting(computerId: string, free: number): AsyncGenerator<Waiting> {
    let queues: readonly Queue[] = (await this.printers.readyPrinters(computerId)).map((printer) => ({
      printer,
    }));
    for (let seen = 0, limit = free; queues.length > 0 && seen < MOST_SEEN; limit *= 2) {
      const pages = await Promise.all(queues.map((queue) => this.pageOf(queue, limit)));
      // Jobs of the same millisecond keep the order of their queue.
      const page = pages
        .flatMap(({ jobs }) => jobs)
        .sort((a, b) => epochMs(a.job.created_at) - epochMs(b.job.created_at));
      yield* page;
      seen += page.length;
      queues = pages.flatMap(({ rest }) => rest);
    }
  }

  private async pageOf({ printer, after }: Queue, limit: number) {
    const page = { limit, ...(after !== undefined && { after }) };
    const { documents, births } = await this.jobs.queuedOfPrinter(printer.printer_id, page);
    const jobs: readonly Waiting[] = documents.map((job) => ({ job, printer }));
    const rest: readonly Queue[] = births.length < limit ? [] : [{ printer, after: births.at(-1) }];
    return { jobs, rest };
  }

  /** A job that cannot be read any more must not keep a computer from all others. */
  private async grantOrPassOver(
    command: LeaseJobs,
    job: JobDocument,
    printer: PrinterDocument,
  ): Promise<GrantedLease | Instant | undefined> {
    try {
      return await this.grant(command, job, printer);
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      this.logger.error(error);
      return undefined;
    }
  }

  /** Resolves to the lease, to the time from which on there may be one, or to nothing. */
  private async grant(
    { computerId, sessionId, at, by }: LeaseJobs,
    job: JobDocument,
    printer: PrinterDocument,
  ): Promise<GrantedLease | Instant | undefined> {
    const leaseId = this.randomness.uuid();
    const command = new GrantLease(job.job_id, leaseId, computerId, sessionId, at, by);
    const outcome = await this.aggregates.execute(this.job, job.job_id, command);
    if (!outcome.ok) {
      const { rejection } = outcome;
      return rejection.code === 'JobNotGrantableYet' ? rejection.until : undefined;
    }
    const { lease } = outcome.state;
    if (lease?.leaseId !== leaseId) return undefined;
    return { leaseId, fence: lease.fence, leaseUntil: lease.until, job, printer, events: outcome.events };
  }
}
