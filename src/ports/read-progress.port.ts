import type { Position } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';

/** How far the read models are that this instance reads: views may lag behind events (architecture: the read side). */
export abstract class ReadProgress {
  /** Position of the last event the read models show, as last heard; undefined while none is. Costs nothing. */
  abstract shown(): Position | undefined;
  /** Resolves true as soon as reads of this instance show the event at `position`, false after `ms`. Never rejects. */
  abstract waitFor(position: Position, ms: Milliseconds): Promise<boolean>;
}
