import type { Milliseconds } from '../../../kernel/time.js';

export interface DeliveryPolicy {
  /** One delay less than attempts. */
  readonly retryDelaysMs: readonly Milliseconds[];
}

/** 30 s, 2 min, 10 min, 1 h, 6 h (docs/webhooks.md). */
export const defaultDeliveryPolicy: DeliveryPolicy = {
  retryDelaysMs: [30_000, 120_000, 600_000, 3_600_000, 21_600_000],
};

export const MAX_RETRY_AFTER_MS: Milliseconds = 6 * 3_600_000;

/** From the end of a delivery. Dead letters stay: they may be retried at any time. */
export const DELIVERY_RETENTION_MS: Milliseconds = 30 * 24 * 3_600_000;

/** Manual attempts are additional. */
export function maxAttempts({ retryDelaysMs }: DeliveryPolicy): number {
  return retryDelaysMs.length + 1;
}

export function delayAfter(
  { retryDelaysMs }: DeliveryPolicy,
  failures: number,
  retryAfterMs: Milliseconds = 0,
): Milliseconds | undefined {
  const step = retryDelaysMs[failures - 1];
  return step === undefined ? undefined : Math.max(step, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
