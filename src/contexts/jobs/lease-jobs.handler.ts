import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import type { PrinterDocument } from '../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { epochMs } from '../../kernel/time.js';
import { Locks } from '../../ports/locks.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore } from '../../runtime/aggregate-store.js';
import { GrantLease } from './domain/job.commands.js';
import { HeldLeases } from './held-leases.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { LeaseJobs, MAX_LEASES, type GrantedLease } from './lease-jobs.command.js';

@CommandHandler(LeaseJobs)
export class LeaseJobsHandler implements ICommandHandler<LeaseJobs, readonly GrantedLease[]> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly randomness: Randomness,
    private readonly printers: PrinterQueries,
    private readonly jobs: JobQueries,
    private readonly held: HeldLeases,
    private readonly locks: Locks,
  ) {}

  execute(command: LeaseJobs): Promise<readonly GrantedLease[]> {
    // Two polls of one computer together must not pass its number of leases.
    return this.locks.run(`leases of ${command.computerId}`, () => this.lease(command));
  }

  private async lease(command: LeaseJobs): Promise<readonly GrantedLease[]> {
    const held = await this.held.of(command.computerId);
    const free = Math.min(command.max, MAX_LEASES - held.length);
    if (free <= 0) return [];
    const waiting = await this.waiting(command.computerId, free);
    const granted: GrantedLease[] = [];
    for (const { job, printer } of waiting) {
      if (granted.length === free) break;
      const lease = await this.grant(command, job, printer);
      if (lease) granted.push(lease);
    }
    return granted;
  }

  /** Queued jobs of the computer's ready printers, oldest first. */
  private async waiting(computerId: string, limit: number) {
    const printers = await this.printers.readyPrinters(computerId);
    const queues = await Promise.all(
      printers.map(async (printer) => {
        const jobs = await this.jobs.queuedOfPrinter(printer.printer_id, limit);
        return jobs.map((job) => ({ job, printer }));
      }),
    );
    // Jobs of the same millisecond keep the order of their queue.
    return queues.flat().sort((a, b) => epochMs(a.job.created_at) - epochMs(b.job.created_at));
  }

  private async grant(
    { computerId, sessionId, at, by }: LeaseJobs,
    job: JobDocument,
    printer: PrinterDocument,
  ): Promise<GrantedLease | undefined> {
    const leaseId = this.randomness.uuid();
    const command = new GrantLease(job.job_id, leaseId, computerId, sessionId, at, by);
    const outcome = await this.aggregates.execute(this.job, job.job_id, command);
    const lease = outcome.ok ? outcome.state.lease : undefined;
    if (!outcome.ok || lease?.leaseId !== leaseId) return undefined;
    return { leaseId, fence: lease.fence, leaseUntil: lease.until, job, printer };
  }
}
