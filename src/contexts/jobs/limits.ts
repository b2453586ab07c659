import { Inject, Injectable } from '@nestjs/common';
import { categoryOf, idOf } from '../../kernel/ids.js';
import { TooFarBehindError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { JobEventData, JobEvent, LeaseRef } from './domain/job.events.js';
import { isHeld } from './domain/job.rules.js';
import type { Job } from './domain/job.state.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { JobLists, type HeldLease, type JobOfLease } from './ports.js';
import { EventStore, AggregateStore, LivenessStore, Locks } from '../../event-sourcing/index.js';

/** Includes leases that the lists do not show yet. */
@Injectable()
export class HeldLeases {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly lists: JobLists,
  ) {}

  /**
   * Leased or accepted and not yet handed off: these count against both limits. Only listed ones while the read models
   * are too far behind: then an Agent may get more, but still no job twice.
   */
  async of(computerId: string): Promise<readonly HeldLease[]> {
    const unprojected = await this.events.unprojected().catch(noneIfTooFarBehind);
    const listed = await this.lists.leasesOfComputer(computerId);
    const held = new Map(listed.map((lease) => [lease.jobId, lease]));
    const granted = unprojected.filter((event) => grantOf(event)?.computerId === computerId);
    const moved = unprojected.filter((event) => categoryOf(event.stream) === 'job' && held.has(jobOf(event)));
    const touched = new Set([...granted, ...moved].map(jobOf));
    for (const jobId of touched) {
      const { state } = await this.aggregates.load(this.job, jobId);
      if (counts(state) && state.computerId === computerId)
        held.set(jobId, { jobId, leaseId: state.lease!.leaseId, printerId: state.printerId });
      else held.delete(jobId);
    }
    return [...held.values()];
  }

  /** A lease is denied only by lists that show all events of now. @throws UnavailableError if they are too far behind */
  async find(computerId: string, leaseId: string): Promise<JobOfLease | undefined> {
    const listed = await this.lists.jobOfLease(computerId, leaseId);
    if (listed) return listed;
    const unprojected = await this.events.unprojected().catch(noneIfTooFarBehind);
    const grant = unprojected.find((event) => grantOf(event)?.leaseId === leaseId);
    if (!grant) {
      await this.events.waitUntilProjected();
      return this.lists.jobOfLease(computerId, leaseId);
    }
    const { state } = await this.aggregates.load(this.job, jobOf(grant));
    const isTheirs = state.computerId === computerId && state.lease?.leaseId === leaseId;
    return isTheirs && state.status !== 'absent' ? { jobId: state.jobId, status: state.status } : undefined;
  }
}

function noneIfTooFarBehind(error: unknown): readonly RecordedEvent[] {
  if (error instanceof TooFarBehindError) return [];
  throw error;
}

const jobOf = ({ stream }: RecordedEvent) => idOf(stream);

function grantOf({ type, data }: RecordedEvent): JobEventData['JobLeased'] | undefined {
  return type === 'JobLeased' ? (data as unknown as JobEventData['JobLeased']) : undefined;
}

function counts({ status, lease }: Job): boolean {
  return isHeld(status) && (lease?.phase === 'leased' || lease?.phase === 'accepted');
}

const ENDS_A_LEASE: ReadonlySet<string> = new Set<JobEvent['type']>([
  'LeaseLapsed',
  'LeaseReleased',
  'LeaseInvalidated',
  'JobCompleted',
  'JobFailed',
  'ManualReviewOpened',
]);

/** Otherwise the liveness store would grow with every job. */
@Injectable()
export class LeaseHeartbeats {
  constructor(events: EventStore, liveness: LivenessStore) {
    events.listen({
      types: ENDS_A_LEASE,
      appended(ended) {
        const keys = ended.map(({ data }) => `lease:${(data as unknown as Partial<LeaseRef>).leaseId}`);
        // A remaining heartbeat costs a few bytes and is never read.
        liveness.delete(keys).catch(() => undefined);
      },
    });
  }
}

/**
 * One lock for the whole service, so that two callers cannot share the last slot; counts unlisted jobs too.
 */
@Injectable()
export class Limits {
  constructor(
    private readonly locks: Locks,
    private readonly events: EventStore,
    private readonly lists: JobLists,
    private readonly held: HeldLeases,
  ) {}

  /** @param work receives the leases that count against the limits */
  leasesOf<T>(computerId: string, work: (held: readonly HeldLease[]) => Promise<T>): Promise<T> {
    return this.locks.run(`leases of ${computerId}`, async () => work(await this.held.of(computerId)));
  }

  /** Waits for the lists, because plans are rarely limited. @param month `YYYY-MM` in UTC */
  jobsOfMonth<T>(accountId: string, month: string, work: (used: number) => Promise<T>): Promise<T> {
    return this.locks.run(`plan of ${accountId}`, async () => {
      await this.events.waitUntilProjected();
      return work(await this.lists.countCreatedInMonth(accountId, month));
    });
  }
}
