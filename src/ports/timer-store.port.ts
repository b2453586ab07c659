import type { Timer } from '../kernel/process.js';
import type { Instant } from '../kernel/time.js';

/** The armed timers: a read model, whose due times the timer loop may move. */
export abstract class TimerStore {
  /** Timers due at `now` or before, earliest first. */
  abstract due(now: Instant, limit: number): Promise<readonly Timer[]>;
  /** When the earliest timer is due; undefined while none is armed. */
  abstract next(): Promise<Instant | undefined>;
  /** Moves a timer that is still armed by the same event; otherwise does nothing. */
  abstract defer(timer: Timer, due: Instant): Promise<void>;
}
