import type { Sighting } from '../provider.js';
import type { IppAttributes } from './ipp-message.js';

export const JOB_ATTRIBUTES = [
  'job-id',
  'job-name',
  'job-state',
  'job-state-reasons',
  'job-printer-state-message',
  'number-of-documents',
  'time-at-processing',
];

/** job-state, RFC 8011 5.3.7. */
const STATES = {
  3: 'waiting',
  4: 'waiting',
  5: 'printing',
  6: 'printing',
  7: 'cancelled',
  8: 'aborted',
  9: 'completed',
} as const;

/** Reasons of a job that waits for its document, where the printer does not count documents. */
const WANTING = ['job-incoming', 'job-data-insufficient'];

/** Converts the attributes of a job into a `Sighting`. */
export function sightingOf(job: IppAttributes): Sighting {
  const spoolerJobId = String(job.get('job-id')?.[0] ?? '');
  const state = STATES[(job.get('job-state')?.[0] ?? 3) as keyof typeof STATES];
  const started = typeof job.get('time-at-processing')?.[0] === 'number';
  const documents = job.get('number-of-documents')?.[0];
  const lacks = (job.get('job-state-reasons') ?? []).some((reason) => WANTING.includes(String(reason)));
  const bare = state === 'waiting' && (documents === undefined ? lacks : documents === 0);
  if (bare && !started) return { state: 'empty', spoolerJobId };
  return { state: state ?? 'waiting', spoolerJobId, started, message: messageOf(job) };
}

function messageOf(job: IppAttributes): string | undefined {
  const parts = [...(job.get('job-state-reasons') ?? []), job.get('job-printer-state-message')?.[0]];
  const words = parts.filter((part) => typeof part === 'string' && part !== '' && part !== 'none');
  return words.length > 0 ? words.join(', ') : undefined;
}
