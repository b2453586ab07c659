import { plus, type Instant, type Milliseconds } from '../../../kernel/time.js';

/** Unfinished deliveries of a webhook whose endpoint fails. */
export const MAX_BACKLOG_FAILING = 10_000;
/** Unfinished deliveries of a webhook whose endpoint succeeds, but more slowly than events happen. */
export const MAX_BACKLOG = 100_000;
/** An endpoint fails if its newest attempt failed and none has succeeded for this long. */
export const FAILING_AFTER_MS: Milliseconds = 3_600_000;

/** An endpoint without a success for so long, and with at least so many failures, is given up. */
export const GIVEN_UP_AFTER_MS: Milliseconds = 5 * 24 * 3_600_000;
export const GIVEN_UP_FAILURES = 20;

export interface Backlog {
  readonly unfinished: number;
  readonly lastSuccessAt?: Instant | undefined;
  readonly lastFailureAt?: Instant | undefined;
}

/** A burst of events alone pauses no endpoint that answers. */
export function isBacklogFull(
  { unfinished, lastSuccessAt = '', lastFailureAt = '' }: Backlog,
  now: Instant,
): boolean {
  const isFailing = lastFailureAt > lastSuccessAt && lastSuccessAt < plus(now, -FAILING_AFTER_MS);
  return unfinished >= (isFailing ? MAX_BACKLOG_FAILING : MAX_BACKLOG);
}

/** @param since the first failure after the last success, or a later resume */
export function hasFailedForDays(since: Instant, now: Instant): boolean {
  return since <= plus(now, -GIVEN_UP_AFTER_MS);
}
