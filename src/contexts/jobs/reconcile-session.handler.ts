import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { computers, ReportUnknownJobs, sessionsBefore, type UnknownJob } from '../devices/index.js';
import { ReconcileLease, VoidLease } from './domain/job.commands.js';
import type { Job } from './domain/job.state.js';
import { HeldLeases } from './held-leases.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { ReconcileSession, type Reconciled } from './coordinated.commands.js';
import { isTouched, verdictOn, type JournalEntry } from './reconcile.js';
import { LivenessStore, AggregateStore } from '../../event-sourcing/index.js';

interface Judged {
  readonly entry: JournalEntry;
  readonly state: Job;
  readonly answer: Reconciled;
}

@CommandHandler(ReconcileSession)
export class ReconcileSessionHandler implements ICommandHandler<ReconcileSession> {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly liveness: LivenessStore,
    private readonly held: HeldLeases,
  ) {}

  async execute(command: ReconcileSession): Promise<readonly Reconciled[]> {
    const { state: computer } = await this.aggregates.load(computers, command.computerId);
    const replaced = sessionsBefore(computer, command.sessionId);
    await this.voidUnnamed(command, replaced);
    const judged = await Promise.all(command.journal.map((entry) => this.judge(command, replaced, entry)));
    await this.reportUnknown(command, judged);
    return judged.map(({ answer }) => answer);
  }

  private async voidUnnamed(
    { computerId, journal, at, by }: ReconcileSession,
    replaced: readonly string[],
  ): Promise<void> {
    const named = new Set(journal.map((entry) => entry.lease_id));
    const unnamed = (await this.held.of(computerId)).filter(({ leaseId }) => !named.has(leaseId));
    await Promise.all(
      unnamed.map(({ jobId, leaseId }) =>
        this.aggregates.execute(this.job, jobId, new VoidLease({ jobId, leaseId, replaced, at, by })),
      ),
    );
  }

  private async judge(
    { computerId, sessionId, at, by }: ReconcileSession,
    replaced: readonly string[],
    entry: JournalEntry,
  ): Promise<Judged> {
    const { job_id: jobId, lease_id: leaseId, fence } = entry;
    const named = { leaseId, fence, touched: isTouched(entry) };
    const command = new ReconcileLease({ jobId, computerId, sessionId, replaced, named, at, by });
    const outcome = await this.aggregates.execute(this.job, jobId, command);
    const { state } = outcome.ok ? outcome : await this.aggregates.load(this.job, jobId);
    const verdict = verdictOn(state, { computerId, sessionId }, entry);
    if (verdict === 'continue') await this.liveness.recordHeartbeat([`lease:${leaseId}`], at);
    return { entry, state, answer: { job_id: jobId, fence, verdict } };
  }

  /** Excludes jobs of other computers, which the service knows. */
  private async reportUnknown(
    { computerId, at, by }: ReconcileSession,
    judged: readonly Judged[],
  ): Promise<void> {
    const jobs = judged.flatMap(({ entry, state }) => (state.status === 'absent' ? unknownJob(entry) : []));
    if (jobs.length === 0) return;
    await this.aggregates.execute(computers, computerId, new ReportUnknownJobs({ computerId, jobs, at, by }));
  }
}

function unknownJob({ job_id: jobId, lease_id: leaseId, fence, phase }: JournalEntry): UnknownJob[] {
  return phase === 'handing_off' || phase === 'handed_off' ? [{ jobId, leaseId, fence, phase }] : [];
}
