import { Injectable } from '@nestjs/common';
import { HeldLeases } from './held-leases.js';
import { JobLists, type HeldLease } from './ports.js';
import { EventStore, Locks } from '../../event-sourcing/index.js';

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
