import type { Reply } from './transport.js';

export interface Restored {
  /** For 24 hours after a restore of the service: the time of the backup. It knows no key used since then (docs/sdk.md). */
  readonly restoredFrom?: string;
}

export interface Submission<Job> extends Restored {
  readonly job: Job;
  /** True if an earlier request with the same key did it. */
  readonly replayed: boolean;
}

export function restoredOf({ headers }: Reply<unknown>): Restored {
  const restoredFrom = headers.get('service-restored-from');
  return restoredFrom === null ? {} : { restoredFrom };
}

export function submissionOf<Job>(reply: Reply<Job>): Submission<Job> {
  const replayed = reply.headers.get('idempotent-replayed') === 'true';
  return { job: reply.data, replayed, ...restoredOf(reply) };
}
