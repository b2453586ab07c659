import { Injectable } from '@nestjs/common';
import { HeldLeases } from './held-leases.js';
import { JobLists, type HeldLease } from './ports.js';
import { EventStore, Locks } from '../../event-sourcing/index.js';

/**
 * Counts against a limit and does the allowed work under one lock in the whole service, so that two callers
 * cannot both take the last place. Lists may lag, so counts include what they do not show yet.
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

  /**
   * Waits until the lists show every stored job: plans are rarely limited, but leases must not wait.
   * @param month `YYYY-MM` in UTC
   * @param work receives the number of jobs created by the account in that month
   */
  jobsOfMonth<T>(accountId: string, month: string, work: (used: number) => Promise<T>): Promise<T> {
    return this.locks.run(`plan of ${accountId}`, async () => {
      await this.events.waitUntilProjected();
      return work(await this.lists.countCreatedInMonth(accountId, month));
    });
  }
}
