/** RFC 3339 UTC with milliseconds and `Z`. Fixed width, so strings compare like times. */
export type Instant = string;

export type Milliseconds = number;

export const DAY_MS: Milliseconds = 86_400_000;

export function instant(epochMs: number): Instant {
  return new Date(epochMs).toISOString();
}

export function epochMs(at: Instant): number {
  return Date.parse(at);
}

export function plus(at: Instant, ms: Milliseconds): Instant {
  return instant(epochMs(at) + ms);
}

/** `YYYY-MM-DDTHH` in UTC. */
export function hourOf(at: Instant): string {
  return at.slice(0, 'YYYY-MM-DDTHH'.length);
}

/** 0 if the clock was set back in between. */
export function elapsed(start: Instant, end: Instant): Milliseconds {
  return Math.max(0, epochMs(end) - epochMs(start));
}

export function later(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}

export function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}

/** The only source of time. */
export abstract class Clock {
  abstract now(): Instant;
  /** From any origin; unaffected when the wall clock is set. */
  abstract monotonic(): Milliseconds;
  /** Returns a function that cancels. Does not keep the process alive. */
  abstract after(delay: Milliseconds, callback: () => void): () => void;
}
