import { setTimeout as sleep } from 'node:timers/promises';
import type { Milliseconds, Clock } from '../kernel/time.js';
import { pause } from './pauses.js';
import { ConcurrencyError, UnavailableError } from '../kernel/errors.js';
import { setMaxListeners } from 'node:events';

/** When `retry` tries again, and how long it waits in between. */
export interface RetryPolicy {
  /** Errors worth another attempt; all others are thrown at once. */
  readonly when: (error: unknown) => boolean;
  /** Attempts in all; without it only `when`, `deadline` and `signal` end the retrying. */
  readonly attempts?: number;
  /** Waits after the n-th failure, n from 1 on; without it the next attempt follows at once. */
  readonly wait?: (failures: number) => Promise<unknown>;
  /** No further attempt once it has passed. */
  readonly deadline?: { readonly hasPassed: boolean };
  /** An attempt that fails once it has aborted is the last; one that waits for its turn is still made. */
  readonly signal?: AbortSignal;
  /** Sees each error that another attempt follows. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The one retry helper: repeats `work` until it succeeds or the policy forbids another attempt.
 * @param work is given the number of the attempt, from 1 on
 * @throws the error of the last attempt
 */
export async function retry<T>(work: (attempt: number) => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const { attempts = Infinity, deadline, signal } = policy;
      const isOver = attempt >= attempts || deadline?.hasPassed || signal?.aborted;
      if (isOver || !policy.when(error)) throw error;
      policy.onError?.(error);
      await policy.wait?.(attempt);
    }
  }
}

/** Retries as long as a store is unavailable; `signal` ends it. `work` must be repeatable. */
export class StoreRetry {
  constructor(
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** @throws every error but UnavailableError; any error once `signal` has aborted */
  async whileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const attempt = async () => {
      signal.throwIfAborted();
      return work();
    };
    return retry(attempt, {
      when: isUnavailable,
      wait: (failures) => pause(this.clock, exponentialBackoff(failures), signal),
      signal,
      onError: this.onError,
    });
  }
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof UnavailableError;
}

/** Another writer appended to the stream first. */
export function isLostRace(error: unknown): boolean {
  return error instanceof ConcurrencyError;
}

/** Waits up to 5 ms times two to the attempt, at most 160 ms, so that racers do not meet again. */
export function pauseBetweenRaces(attempt: number): Promise<void> {
  return sleep(Math.random() * 5 * 2 ** Math.min(attempt, 5));
}

const SHORTEST_MS: Milliseconds = 100;
export const LONGEST_BACKOFF_MS: Milliseconds = 10_000;
/** While a caller waits: an election takes 1.5 to 3 s, and the first moment after it should not be missed by much. */
export const LONGEST_BACKOFF_OF_A_CALL_MS: Milliseconds = 1_000;

/** Waits between the attempts of one call to a store that others share. */
export function pauseInOutage(failures: number): Promise<void> {
  return sleep(exponentialBackoff(failures, LONGEST_BACKOFF_OF_A_CALL_MS));
}

/**
 * How long to wait after the n-th failure in a row, n from 1 on: 100 ms doubling to 10 s, with jitter in the upper half
 * so that instances that lost the same server do not return at once.
 * @param atMost another limit than 10 s
 */
export function exponentialBackoff(failures: number, atMost = LONGEST_BACKOFF_MS): Milliseconds {
  const longest = Math.min(atMost, SHORTEST_MS * 2 ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}

/** Retries and waits of a background loop; `stop` ends all of them at once. */
export class RetryLoop {
  private readonly stopping = new AbortController();

  constructor(private readonly clock: Clock) {
    // Each piece of work under way may wait on this signal.
    setMaxListeners(0, this.stopping.signal);
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  wait(ms: Milliseconds): Promise<void> {
    return pause(this.clock, ms, this.stopping.signal);
  }

  /** Repeats `work` until it succeeds. A stop allows one last attempt, then it resolves to undefined. */
  async retryUntilStopped<T>(
    work: () => Promise<T>,
    onError: (error: unknown) => void,
  ): Promise<T | undefined> {
    try {
      return await retry(work, {
        when: () => true,
        wait: (failures) => this.wait(exponentialBackoff(failures)),
        signal: this.stopping.signal,
        onError,
      });
    } catch {
      // `when` lets every error pass, so only the signal ends the retrying.
      return undefined;
    }
  }

  stop(): void {
    this.stopping.abort();
  }
}
