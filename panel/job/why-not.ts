import type { PrintJob } from '../../sdk/src/generated/integration.js';

/** Why the job cannot be printed again; undefined if it can. */
export function whyNot({
  can_retry: can,
  status,
  failure_class,
}: Pick<PrintJob, 'can_retry' | 'status' | 'failure_class'>): string | undefined {
  if (can) return undefined;
  return status === 'failed' && failure_class === 'temporary' ? GONE : WHY_NOT[status];
}

const GONE = 'the document is gone, or the job has expired';
const WHY_NOT: Readonly<Record<PrintJob['status'], string>> = {
  created: 'it waits for its first attempt',
  queued: 'it waits to be printed',
  leased: 'its computer has it; wait for the outcome',
  accepted_by_agent: 'its computer has it; wait for the outcome',
  sent_to_spooler: 'it is in the spooler; wait for the outcome',
  spooler_completed: 'the spooler finished; Reprint makes a new job',
  failed: 'another attempt would fail the same way',
  manual_review: GONE,
  cancelled: 'it was cancelled; Reprint makes a new job',
  expired: 'it has expired; Reprint makes a new job',
};
