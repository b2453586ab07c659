import type { Milliseconds } from '../../kernel/time.js';

/** Leadership of a group, held by one instance at a time. */
export interface GroupLease {
  readonly group: string;
  readonly holder: string;
  /**
   * Increases with every change of holder, even if the stored leases were lost: fences late writes of an earlier holder.
   */
  readonly epoch: number;
}

/**
 * Leases for singleton workers (projections, timers, webhooks). Times follow the store's clock, so clocks of
 * instances may differ.
 */
export abstract class GroupLeases {
  /**
   * Takes the lease if it is free or expired, extends it if it is ours; undefined while another instance holds it.
   * @throws UnavailableError
   */
  abstract acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined>;
  /** Releases the lease at once; does nothing if another instance holds it. */
  abstract release(lease: GroupLease): Promise<void>;
}

/** The instances that take part in some groups. */
export abstract class GroupMembers {
  /**
   * Reports how many of the groups this holder leads; forgotten after `forMs`. Resolves to the smallest number of another
   * holder, Infinity without one. @throws UnavailableError
   */
  abstract report(holder: string, held: number, forMs: Milliseconds): Promise<number>;
}

/** Work that one instance does at a time. */
export interface SingletonWorker {
  /**
   * Runs until `signal` aborts, then ends as soon as it can; ending earlier or throwing releases the lease.
   */
  run(lease: GroupLease, signal: AbortSignal): Promise<void>;
}

/** Locks over the whole service, e.g. for counting against a limit. */
export abstract class Locks {
  /**
   * Runs `work` while no other call with the same key runs. The lock of a crashed instance is free after some
   * seconds.
   * @throws errors of `work`; UnavailableError if the lock is not free in time (`work` has not started then)
   */
  abstract run<T>(key: string, work: () => Promise<T>): Promise<T>;
}
