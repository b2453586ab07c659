export interface BackoffLimits {
  firstMs: number;
  longestMs: number;
}

/** Wait before retry `attempt` (1 = the first retry): doubles up to a limit, with jitter over its upper half. */
export function backoffMs(attempt: number, limits: BackoffLimits, random: () => number): number {
  const ceiling = Math.min(limits.longestMs, limits.firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(ceiling * (0.5 + random() / 2));
}

/** Milliseconds asked for by a Retry-After header (seconds or a date); undefined if it is missing or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
