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
  /** Other instances append too: a cached state may be old. */
  readonly shared?: boolean;
  /** Default: longer in an outage of shared stores than after a lost race. */
  readonly pause?: (attempt: number) => Promise<void>;
  /** Limit for all attempts of one append; then UnavailableError. */
  readonly deadlineMs?: Milliseconds;
}

export const ATTEMPTS = 5;
/** In an outage each command ahead takes its own deadline. */
const TURN_WITHIN_MS: Milliseconds = 30_000;

type MarkRepeat = (append: Append) => Append;

const asRepeat: MarkRepeat = (append) => ({ ...append, isRepeat: true });

export class Attempts {
  private readonly turns = new KeyedMutex();

  constructor(private readonly options: AggregateStoreOptions) {}

  /** Serial per key in this process. @throws UnavailableError if the turn comes too late */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const deadline = new Deadline(TURN_WITHIN_MS);
    return this.turns.run(key, async () => {
      if (deadline.hasPassed) throw new UnavailableError(`${key}: no turn in time`, 'not_written');
      return work();
    });
  }

  /** For races with another instance, or with work outside `inTurn`. */
  retryRaces<T>(
    work: (attempt: number) => Promise<T>,
    until: Pick<RetryPolicy, 'attempts' | 'deadline'>,
  ): Promise<T> {
    return retry(work, { when: isLostRace, wait: this.options.pause ?? pauseBetweenRaces, ...until });
  }

  /** The same event ids cannot write twice. Shared stores are retried until the deadline. */
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
