import type { Instant } from '../../kernel/time.js';

/** Last heartbeat by key, overwritten in place; never events. Keys: `computer:<id>`, `lease:<id>`. */
export abstract class LivenessStore {
  /** Visible at once in this process; durable within the flush interval. */
  abstract recordHeartbeat(keys: readonly string[], at: Instant): Promise<void>;
  /** In the order of `keys`. */
  abstract lastHeartbeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /**
   * Loss of all heartbeats: extend timeouts as if all missing keys had one then, but keep `last_seen` unset.
   */
  lostAt(): Promise<Instant | undefined> {
    return Promise.resolve(undefined);
  }
  abstract delete(keys: readonly string[]): Promise<void>;
  abstract sweep(before: Instant): Promise<void>;
}
