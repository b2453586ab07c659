import type { Instant } from '../kernel/time.js';

/** Signs of life: overwritten in place, never events. Keys: `computer:<id>`, `lease:<id>`. */
export abstract class OperationalStore {
  /** Notes a sign of life. Visible at once in this process; durable within the flush interval. */
  abstract beat(keys: readonly string[], at: Instant): Promise<void>;
  /** Last sign of each key, in the order of `keys`. */
  abstract lastBeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]>;
  /**
   * All signs until then were lost: whoever has none may have given one, and is judged as if it had then. It was not
   * seen then, so nobody is shown it.
   */
  lostAt(): Promise<Instant | undefined> {
    return Promise.resolve(undefined);
  }
  /** Forgets keys nobody will ask for again. */
  abstract forget(keys: readonly string[]): Promise<void>;
  /** Signs older than `before` are dropped. */
  abstract sweep(before: Instant): Promise<void>;
}
