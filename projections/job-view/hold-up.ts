import { HELD_STATUSES, isHeld, LATE } from '../../src/contexts/jobs/domain/job.rules.js';
import { elapsed, type Instant } from '../../src/kernel/time.js';
import type { PrinterDocument } from '../printers/printers.js';
import type { JobDocument } from './job-view.js';

/** The job for which a printer is behind, and since when it waits or is at its computer. */
export interface HoldUp {
  readonly job: JobDocument;
  readonly since: Instant;
}

type PrinterState = Pick<PrinterDocument, 'status' | 'paused' | 'updated_at'>;

/**
 * The one rule for "behind": a printer that is online has a job that has waited, or has been at its computer, for more
 * than five minutes. They begin anew when the printer comes online, is resumed or changed otherwise; for jobs at the
 * computer also when another one is finished, because a spooler takes many at once and reports none in between. Of
 * several the job nearest to the paper holds up the others. A paused printer lets jobs wait on purpose, so only those
 * at its computer count.
 * @param jobs unfinished ones of the printer
 * @param finishedAt when it finished its newest job
 */
export function holdUpOf(
  { status, paused = false, updated_at: changedAt }: PrinterState,
  jobs: readonly JobDocument[],
  now: Instant,
  finishedAt: Instant = changedAt,
): HoldUp | undefined {
  if (status !== 'online') return undefined;
  const isBehind = (job: JobDocument) => {
    const begins = [job.updated_at, changedAt, ...(isHeld(job.status) ? [finishedAt] : [])];
    return begins.every((begin) => elapsed(begin, now) > LATE);
  };
  const late = jobs.filter((job) => (!paused || isHeld(job.status)) && isBehind(job));
  const [job] = late.sort((a, b) => stageOf(b) - stageOf(a) || (a.updated_at < b.updated_at ? -1 : 1));
  return job && { job, since: job.updated_at };
}

/** The nearer to the paper, the higher. */
const stageOf = ({ status }: JobDocument) => HELD_STATUSES.findIndex((held) => held === status);

/** When the first of the queued jobs began to wait. */
export function waitingSince(jobs: readonly JobDocument[]): Instant | undefined {
  const queued = jobs.filter(({ status }) => status === 'queued');
  return queued.map(({ updated_at }) => updated_at).sort()[0];
}
