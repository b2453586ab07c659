import type { RecentRestore } from '../contexts/recovery/index.js';
import type { Instant } from '../kernel/time.js';

/** Declares the header for the success answers of operations that create a job. */
export const RESTORED_FROM = {
  'Service-Restored-From':
    'Time of the backup that the service was restored from (RFC 3339), for 24 hours after the restore. ' +
    'Idempotency keys used after that time are unknown: a repeat may print again.',
} as const;

/** The header for an answer at `now`; none unless the store was restored in the last 24 hours. */
export function restoredFrom(recent: RecentRestore, now: Instant): Readonly<Record<string, string>> {
  const backupAt = recent.backupAt(now);
  return backupAt === undefined ? {} : { 'service-restored-from': backupAt };
}
