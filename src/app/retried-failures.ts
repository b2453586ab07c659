import type { Logger } from 'pino';
import type { Milliseconds } from '../kernel/time.js';
import { StoreDamagedError, UnavailableError } from '../kernel/errors.js';

/** Longer than a request or a backoff; a failure after this gap starts a new outage. */
const OUTAGE_GAP_MS: Milliseconds = 30_000;

/** @param message what failed and what happens next */
export type ReportRetried = (error: unknown, message: string, fields?: Record<string, unknown>) => void;

/** Logs one warning per outage and kind of work; repeats go to `debug`, with their number. */
export function retriedFailures(
  logger: Logger,
  ticks: () => Milliseconds = () => performance.now(),
): ReportRetried {
  const outages = new Map<string, { at: Milliseconds; failures: number }>();
  return (error, message, fields) => {
    if (!(error instanceof UnavailableError) || error instanceof StoreDamagedError) {
      logger.error({ err: error, ...fields }, message);
      return;
    }
    const now = ticks();
    const last = outages.get(message);
    const isNew = !last || now - last.at > OUTAGE_GAP_MS;
    const failures = isNew ? 1 : last.failures + 1;
    outages.set(message, { at: now, failures });
    if (isNew) logger.warn({ err: error, ...fields }, message);
    else logger.debug({ err: error, failures, ...fields }, message);
  };
}
