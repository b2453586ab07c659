import type { Milliseconds } from '../../kernel/time.js';

/** Upper limit for Retry-After. */
const MAX_MS: Milliseconds = 6 * 3_600_000;
/** RFC 9110 5.6.7, preferred date format. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Parses both forms of RFC 9110 10.2.3; undefined for any other value. */
export function retryAfterMs(value: string | undefined, nowMs: Milliseconds): Milliseconds | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_MS);
}
