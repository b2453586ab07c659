import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { OperationalStore } from '../../ports/operational-store.port.js';
import { AggregateStore } from '../../runtime/aggregate-store.js';
import { VoidLease } from './domain/job.commands.js';
import { HeldLeases } from './held-leases.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { ReconcileSession, type Reconciled } from './reconcile-session.command.js';
import { verdictOn, type JournalEntry } from './reconcile.js';

@CommandHandler(ReconcileSession)
export class ReconcileSessionHandler implements ICommandHandler<ReconcileSession, readonly Reconciled[]> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly signs: OperationalStore,
    private readonly held: HeldLeases,
  ) {}

  async execute(command: ReconcileSession): Promise<readonly Reconciled[]> {
    await this.voidUnnamed(command);
    return Promise.all(command.journal.map((entry) => this.judge(command, entry)));
  }

  private async voidUnnamed({ computerId, journal, at, by }: ReconcileSession): Promise<void> {
    const named = new Set(journal.map((entry) => entry.lease_id));
    const unnamed = (await this.held.of(computerId)).filter(({ leaseId }) => !named.has(leaseId));
    await Promise.all(
      unnamed.map(({ jobId, leaseId }) =>
        this.aggregates.execute(this.job, jobId, new VoidLease(jobId, leaseId, at, by)),
      ),
    );
  }

  private async judge({ computerId, at }: ReconcileSession, entry: JournalEntry): Promise<Reconciled> {
    const { state } = await this.aggregates.load(this.job, entry.job_id);
    const verdict = verdictOn(state, computerId, entry);
    if (verdict === 'continue') await this.signs.beat([`lease:${entry.lease_id}`], at);
    return { job_id: entry.job_id, fence: entry.fence, verdict };
  }
}
