import type { RateState } from '../http/admission/rate-limits.js';
import type { Milliseconds } from '../kernel/time.js';

/** Requests for each change at 500 changes a second: at most 1/50. */
const GATHERED_MS: Milliseconds = 125;
/** So many changes within so short a time come fast; a few are answered at once. */
const FAST = { count: 3, ms: 15 };
/** Beyond it the limit was used up by full pages: a 429 says more than a long wait. */
const MAX_APART_MS: Milliseconds = 1_500;

interface Gathered {
  /** Changes that the answer would have now. */
  readonly count: number;
  /** Age of the event that the reader saw last. */
  readonly sinceLast: Milliseconds;
  /** Age of the request, which a reader sends as soon as it has the answer before. It includes no lag of the read models. */
  readonly sinceAsked: Milliseconds;
  /** Undefined without limits. */
  readonly rate: RateState | undefined;
}

/** How much longer a reader with `Prefer: wait` waits for further changes, which its next request would ask for. */
export function gatherMs({ count, sinceLast, sinceAsked, rate }: Gathered): Milliseconds {
  if (count === 0) return 0;
  const first = Math.max(FAST.ms - sinceLast, apart(rate) - sinceAsked);
  if (first > 0) return first;
  return count < FAST.count ? 0 : Math.max(0, GATHERED_MS - Math.min(sinceLast, sinceAsked));
}

/** Once half of the requests of a window are used, the others are spread over the rest of it. */
function apart(rate: RateState | undefined): Milliseconds {
  if (!rate || rate.remaining >= rate.limit / 2) return 0;
  return Math.min(MAX_APART_MS, (rate.resetSeconds * 1_000) / (rate.remaining + 1));
}
