import type { Instant } from '../../kernel/time.js';

/** Time of the last heartbeat of each key, overwritten in place; never events. Keys: `computer:<id>`, `lease:<id>`. */
export abstract class LivenessStore {
  /**
   * Visible at once in this process; durable within the flush interval. Server stores: those of computers within a
   * second, all others when it resolves.
   */
  abstract recordHeartbeat(keys: readonly string[], at: Instant): Promise<void>;
  /** Last heartbeat of each key, in the order of `keys`. */
  abstract lastHeartbeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /**
   * Time until which all heartbeats were lost with the database. Extend timeouts as if every key without a heartbeat
   * had sent one at this time, but keep its `last_seen` unset.
   */
  lostAt(): Promise<Instant | undefined> {
    return Promise.resolve(undefined);
  }
  /** Removes keys that will not be read again. */
  abstract delete(keys: readonly string[]): Promise<void>;
}
