import { isHeld, LATE } from '../../src/contexts/jobs/domain/job.rules.js';
import { elapsed, type Instant } from '../../src/kernel/time.js';
import type { PrinterDocument } from '../printers/printers.js';
import type { JobDocument } from './job-view.js';

/** The job for which a printer is behind, and since when it waits or is at its computer. */
export interface HoldUp {
  readonly job: JobDocument;
  readonly since: Instant;
}

/** The nearer to the paper, the later. */
const STAGES: readonly JobDocument['status'][] = [
  'created',
  'queued',
  'leased',
  'accepted_by_agent',
  'sent_to_spooler',
];

/**
 * The one rule for "behind": a printer that is online has a job that has waited, or has been at its computer, for more
 * than five minutes. Of several the job nearest to the paper holds up the others. A paused printer lets jobs wait on
 * purpose, so only those at its computer count.
 * @param jobs unfinished ones of the printer
 */
export function holdUpOf(
  { status, paused = false }: Pick<PrinterDocument, 'status' | 'paused'>,
  jobs: readonly JobDocument[],
  now: Instant,
): HoldUp | undefined {
  if (status !== 'online') return undefined;
  const late = jobs.filter((job) => (!paused || isHeld(job.status)) && elapsed(job.updated_at, now) > LATE);
  const stageOf = (job: JobDocument) => STAGES.indexOf(job.status);
  const [job] = late.sort((a, b) => stageOf(b) - stageOf(a) || (a.updated_at < b.updated_at ? -1 : 1));
  return job && { job, since: job.updated_at };
}

/** When the first of the queued jobs began to wait. */
export function waitingSince(jobs: readonly JobDocument[]): Instant | undefined {
  const queued = jobs.filter(({ status }) => status === 'queued');
  return queued.map(({ updated_at }) => updated_at).sort()[0];
}
