import { Inject, Injectable } from '@nestjs/common';
import { isHeld } from '../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { categoryOf, idOf } from '../../kernel/ids.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { EventStore } from '../../ports/event-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import type { JobEventData, JobStatus } from './domain/job.events.js';
import type { Job } from './domain/job.state.js';
import { JOB, type JobAggregate } from './job.aggregate.js';

export interface HeldLease {
  readonly jobId: string;
  readonly leaseId: string;
}

/** Who holds which lease: as the read model has it, and what it does not show yet. */
@Injectable()
export class HeldLeases {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly jobs: JobQueries,
  ) {}

  /** What counts against the computer's number of leases: leased or accepted and not yet handed off. */
  async of(computerId: string): Promise<readonly HeldLease[]> {
    const unshown = await this.events.unshown();
    const shown = await this.jobs.leasedByComputer(computerId);
    const held = new Map(shown.map((job) => [job.job_id, job.lease_id!]));
    const granted = unshown.filter((event) => grantOf(event)?.computerId === computerId);
    const moved = unshown.filter((event) => categoryOf(event.stream) === 'job' && held.has(jobOf(event)));
    const touched = new Set([...granted, ...moved].map(jobOf));
    for (const jobId of touched) {
      const { state } = await this.aggregates.load(this.job, jobId);
      if (counts(state) && state.computerId === computerId) held.set(jobId, state.lease!.leaseId);
      else held.delete(jobId);
    }
    return [...held].map(([jobId, leaseId]) => ({ jobId, leaseId }));
  }

  /** The job whose newest lease of this computer it is, whatever became of it. */
  async find(
    computerId: string,
    leaseId: string,
  ): Promise<{ readonly jobId: string; readonly status: JobStatus } | undefined> {
    const shown = await this.jobs.jobOfLease(computerId, leaseId);
    if (shown && isHeld(shown.status)) return { jobId: shown.job_id, status: shown.status };
    const unshown = await this.events.unshown();
    const grant = unshown.find((event) => grantOf(event)?.leaseId === leaseId);
    if (!grant) return this.shown(computerId, leaseId);
    const { state } = await this.aggregates.load(this.job, jobOf(grant));
    const isTheirs = state.computerId === computerId && state.lease?.leaseId === leaseId;
    return isTheirs && state.status !== 'absent' ? { jobId: state.jobId, status: state.status } : undefined;
  }

  private async shown(computerId: string, leaseId: string) {
    const job = await this.jobs.jobOfLease(computerId, leaseId);
    return job && { jobId: job.job_id, status: job.status };
  }
}

const jobOf = ({ stream }: RecordedEvent) => idOf(stream);

function grantOf({ type, data }: RecordedEvent): JobEventData<'JobLeased'> | undefined {
  return type === 'JobLeased' ? (data as unknown as JobEventData<'JobLeased'>) : undefined;
}

function counts({ status, lease }: Job): boolean {
  return status !== 'absent' && isHeld(status) && (lease?.phase === 'leased' || lease?.phase === 'accepted');
}
