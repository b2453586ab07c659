import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  computers,
  hasFeature,
  ReportUnknownJobs,
  sessionsBefore,
  type Computer,
  type UnknownJob,
} from '../devices/index.js';
import { ReconcileLease, VoidLease } from './domain/job.commands.js';
import { type Job, isOrWasOf } from './domain/job.state.js';
import { OPTIONS_FEATURE } from './domain/print-options.js';
import { HeldLeases } from './limits.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import {
  ReconcileSession,
  type Reconciled,
  type JournalEntry,
  type Verdict,
} from './coordinated.commands.js';
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
    const named = await this.continuable(computer, command);
    await this.voidOthers(command, replaced, named);
    const judged = await Promise.all(command.journal.map((entry) => this.judge(command, replaced, entry)));
    await this.reportUnknown(command, judged);
    return judged.map(({ answer }) => answer);
  }

  /** Leases of the journal, without jobs whose options an older agent would print without. */
  private async continuable(
    computer: Computer,
    { sessionId, journal }: ReconcileSession,
  ): Promise<ReadonlySet<string>> {
    const takesOptions = hasFeature(computer, sessionId, OPTIONS_FEATURE);
    const kept = await Promise.all(
      journal.map(async (entry) => {
        if (takesOptions || isTouched(entry)) return true;
        return (await this.aggregates.load(this.job, entry.job_id)).state.options === undefined;
      }),
    );
    return new Set(journal.filter((_, index) => kept[index]).map((entry) => entry.lease_id));
  }

  private async voidOthers(
    { computerId, at, by }: ReconcileSession,
    replaced: readonly string[],
    named: ReadonlySet<string>,
  ): Promise<void> {
    const others = (await this.held.of(computerId)).filter(({ leaseId }) => !named.has(leaseId));
    await Promise.all(
      others.map(({ jobId, leaseId }) =>
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

export function isTouched({ phase }: JournalEntry): boolean {
  return phase === 'handing_off' || phase === 'handed_off';
}

/** In doubt the agent starts nothing and reports what it knows. */
export function verdictOn(
  job: Job,
  agent: { computerId: string; sessionId: string },
  entry: JournalEntry,
): Verdict {
  if (job.status === 'absent' || !isOrWasOf(job, agent.computerId)) return 'forget';
  const touched = isTouched(entry);
  const current = job.lease?.leaseId === entry.lease_id && job.lease.fence === entry.fence;
  if (!current) return touched ? 'report' : 'abandon';
  // A newer session has taken the lease over.
  const untouched = job.lease.sessionId === agent.sessionId ? 'continue' : 'abandon';
  switch (job.status) {
    case 'leased':
      return touched ? 'report' : untouched;
    case 'accepted_by_agent':
      return touched || job.lease.phase === 'handed_off' ? 'report' : untouched;
    case 'sent_to_spooler':
    case 'manual_review':
      return 'report';
    case 'spooler_completed':
      return 'forget';
    default:
      return touched ? 'report' : 'abandon';
  }
}
