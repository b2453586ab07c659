import type { Position } from '../../kernel/recorded-event.js';
import type { Milliseconds } from '../../kernel/time.js';

/** Progress of the read models that this instance reads; they may lag behind the events (docs/architecture.md, "The read side"). */
export abstract class ReadProgress {
  /** Last known position of the read models; undefined before the first event. Reads a cached value. */
  abstract projected(): Position | undefined;
  /** Resolves to true once reads of this instance include the event at `position`, to false after `ms`. Never rejects. */
  abstract waitFor(position: Position, ms: Milliseconds): Promise<boolean>;
}
