import { setTimeout as sleep } from 'node:timers/promises';
import type { Milliseconds, Clock } from '../kernel/time.js';
import { pause } from './pauses.js';
import { ConcurrencyError, UnavailableError } from '../kernel/errors.js';
import { setMaxListeners } from 'node:events';

export interface RetryPolicy {
  readonly when: (error: unknown) => boolean;
  /** If absent, only `when`, `deadline` and `signal` end the retries. */
  readonly attempts?: number;
  /** `failures` counts from 1; if absent, the next attempt follows at once. */
  readonly wait?: (failures: number) => Promise<unknown>;
  readonly deadline?: { readonly hasPassed: boolean };
  /** Ends the retries after a failure; a waiting attempt is still made. */
  readonly signal?: AbortSignal;
  readonly onError?: (error: unknown) => void;
}

/** @param work receives the number of the attempt, from 1 @throws the error of the last attempt */
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
      if (deadline?.hasPassed) throw error;
    }
  }
}

/** `work` must be repeatable. */
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

export function isLostRace(error: unknown): boolean {
  return error instanceof ConcurrencyError;
}

/** Random, so that racing writers do not collide again. */
export function pauseBetweenRaces(attempt: number): Promise<void> {
  return sleep(Math.random() * 5 * 2 ** Math.min(attempt, 5));
}

const SHORTEST_MS: Milliseconds = 100;
export const LONGEST_BACKOFF_MS: Milliseconds = 10_000;
/** An election takes 1.5 to 3 s, and callers should notice its end soon. */
export const LONGEST_BACKOFF_OF_A_CALL_MS: Milliseconds = 1_000;

/** Pause within a call to a shared store. */
export function pauseInOutage(failures: number): Promise<void> {
  return sleep(exponentialBackoff(failures, LONGEST_BACKOFF_OF_A_CALL_MS));
}

/** 100 ms doubling to 10 s; jitter spreads instances that lost the same server. @param failures from 1 */
export function exponentialBackoff(failures: number, atMost = LONGEST_BACKOFF_MS): Milliseconds {
  const longest = Math.min(atMost, SHORTEST_MS * 2 ** (failures - 1));
  return longest * (0.5 + Math.random() / 2);
}

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

  /** A stop allows one last attempt, then it resolves to undefined. */
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
