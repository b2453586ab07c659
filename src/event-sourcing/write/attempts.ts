import type { Milliseconds } from '../../kernel/time.js';
import type { Append } from '../ports/event-store.port.js';
import { Deadline } from '../../async/deadline.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import {
  isLostRace,
  isUnavailable,
  pauseBetweenRaces,
  pauseInOutage,
  retry,
  type RetryPolicy,
} from '../../async/retry.js';
import { UnavailableError } from '../../kernel/errors.js';

export interface AggregateStoreOptions {
  /** Other instances append too: a cached state is where to read on from, never the last word. */
  readonly shared?: boolean;
  /** Waits before the next try; default: longer in an outage of shared stores than after a lost race. */
  readonly pause?: (attempt: number) => Promise<void>;
  /** For all attempts of one append together; after it the caller gets UnavailableError. */
  readonly deadlineMs?: Milliseconds;
}

export const ATTEMPTS = 5;
/** In an outage each command ahead takes its own deadline. */
const TURN_WITHIN_MS: Milliseconds = 30_000;

type MarkRepeat = (append: Append) => Append;

const asRepeat: MarkRepeat = (append) => ({ ...append, isRepeat: true });

/** How often and in which order commands and appends are tried. */
export class Attempts {
  private readonly turns = new KeyedMutex();

  constructor(private readonly options: AggregateStoreOptions) {}

  /** Runs work after all earlier work with this key in this process. @throws UnavailableError if that takes too long */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const deadline = new Deadline(TURN_WITHIN_MS);
    return this.turns.run(key, async () => {
      if (deadline.hasPassed) throw new UnavailableError(`${key}: no turn in time`, 'not_written');
      return work();
    });
  }

  /** Repeats work that lost a race to another instance, or to work without a turn. */
  retryRaces<T>(
    work: (attempt: number) => Promise<T>,
    until: Pick<RetryPolicy, 'attempts' | 'deadline'>,
  ): Promise<T> {
    return retry(work, { when: isLostRace, wait: this.options.pause ?? pauseBetweenRaces, ...until });
  }

  /**
   * Repeats an append of unknown outcome with the same event ids, which cannot write twice. Stores that others share
   * are tried until the deadline, because they come back by themselves after an election.
   */
  repeatWhileUnknown<T>(deadline: Deadline, append: (mark: MarkRepeat) => Promise<T>): Promise<T> {
    const { shared, pause } = this.options;
    const tried = (attempt: number) => append(attempt > 1 ? asRepeat : (first) => first);
    return retry((attempt) => deadline.within('the event store', () => tried(attempt)), {
      when: isUnavailable,
      ...(!shared && { attempts: ATTEMPTS }),
      wait: pause ?? (shared ? pauseInOutage : pauseBetweenRaces),
      deadline,
    });
  }
}
