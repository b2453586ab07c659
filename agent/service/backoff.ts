export interface BackoffLimits {
  firstMs: number;
  longestMs: number;
}

/** How long to wait before try `attempt` (1 = the first repeat): doubling, full jitter above a half, bounded. */
export function backoffMs(attempt: number, limits: BackoffLimits, random: () => number): number {
  const ceiling = Math.min(limits.longestMs, limits.firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(ceiling * (0.5 + random() / 2));
}

/** Milliseconds asked for by a Retry-After header (seconds or a date); undefined if there is none to be understood. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
