import type { Instant } from '../../kernel/time.js';

/** Which streams may be packed. */
export interface PackingRule {
  /** Time of a stream's last event, or later. */
  readonly before: Instant;
  readonly categories: readonly string[];
}

export interface Upkept {
  /** Events of older releases that were rewritten in today's form. */
  readonly moved: number;
  /** Streams that were packed, or whose pack took in later events. */
  readonly packed: number;
}

/** Makes the stored events smaller, between appends. Reads give the same events before, meanwhile and afterwards. */
export interface StoreUpkeep {
  /**
   * Resolves when nothing is left to do. @throws UnavailableError; Error if an event cannot be read: it and those after it
   * stay as they are
   */
  run(rule: PackingRule): Promise<Upkept>;
}
