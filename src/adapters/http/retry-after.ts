import type { Milliseconds } from '../../kernel/time.js';

/** No receiver makes us wait longer than this. */
const LONGEST_MS: Milliseconds = 6 * 3_600_000;
/** RFC 9110 5.6.7: the only form of a date that is written today. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** RFC 9110 10.2.3, both forms; undefined for what is neither. */
export function retryAfterMs(value: string | undefined, nowMs: Milliseconds): Milliseconds | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const wait = Date.parse(text) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), LONGEST_MS);
}
