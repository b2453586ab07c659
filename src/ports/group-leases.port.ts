import type { Milliseconds } from '../kernel/time.js';

/** Held by one instance at a time. */
export interface GroupLease {
  readonly group: string;
  readonly holder: string;
  /**
   * Grows whenever the holder changes, also when the leases were lost in between: what an earlier holder still writes
   * can be told apart.
   */
  readonly epoch: number;
}

/**
 * Who may run what only one instance may run (projections, timers, webhooks). Times are those of the store's clock,
 * so that clocks of instances may differ.
 */
export abstract class GroupLeases {
  /**
   * Takes the lease when it is free, run out, or already ours (then it is prolonged); undefined while another
   * instance holds it. @throws UnavailableError
   */
  abstract acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined>;
  /** Gives it up, so that the next need not wait; does nothing when it is no longer ours. */
  abstract release(lease: GroupLease): Promise<void>;
}

/** Work that one instance does at a time. */
export interface Duty {
  /**
   * Works until `signal` aborts, then ends as soon as it may; ending earlier, or throwing, gives the lease up.
   */
  run(lease: GroupLease, signal: AbortSignal): Promise<void>;
}
