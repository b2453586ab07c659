import type { Milliseconds } from '../../kernel/time.js';

export interface GroupLease {
  readonly group: string;
  readonly holder: string;
  /** Grows with every change of holder, even after data loss: fences late writes of an earlier holder. */
  readonly epoch: number;
}

/** Times follow the store's clock, so clocks of instances may differ. */
export abstract class GroupLeases {
  /** Takes a free or expired lease, or extends its own; else undefined. @throws UnavailableError */
  abstract acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined>;
  /** Does nothing if another instance holds it. */
  abstract release(lease: GroupLease): Promise<void>;
}

export interface SingletonWorker {
  /** Returns soon after `signal` aborts; returning earlier or throwing releases the lease. */
  run(lease: GroupLease, signal: AbortSignal): Promise<void>;
}

/** Locks over the whole service, e.g. for counting against a limit. */
export abstract class Locks {
  /**
   * A crashed instance's lock is free after some seconds. @throws UnavailableError if `work` could not start
   */
  abstract run<T>(key: string, work: () => Promise<T>): Promise<T>;
}
