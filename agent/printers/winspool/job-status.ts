import type { Sighting } from '../provider.js';
import type { JobInfo, QueueInfo } from './spooler-api.js';

/** JOB_STATUS_* of winspool.h. */
export const JobStatus = {
  paused: 0x1,
  error: 0x2,
  deleting: 0x4,
  spooling: 0x8,
  printing: 0x10,
  offline: 0x20,
  paperOut: 0x40,
  printed: 0x80,
  deleted: 0x100,
  blocked: 0x200,
  userIntervention: 0x400,
  restart: 0x800,
  /** Sent to the printer, which may not have printed it yet. */
  complete: 0x1000,
  /** Kept in the queue after it was printed. */
  retained: 0x2000,
} as const;

/** PRINTER_STATUS_* of winspool.h in which a queue prints nothing. */
const QUEUE_TROUBLE =
  0x1 | // paused
  0x2 | // error
  0x8 | // paper jam
  0x10 | // paper out
  0x40 | // paper problem
  0x80 | // offline
  0x1000 | // not available
  0x40000 | // no toner
  0x100000 | // user intervention
  0x400000; // door open

/** PRINTER_ATTRIBUTE_WORK_OFFLINE: the queue keeps its jobs. */
export const WORK_OFFLINE = 0x400;

const { error, offline, paperOut, paused, blocked, userIntervention } = JobStatus;
const JOB_TROUBLE = error | offline | paperOut | paused | blocked | userIntervention;
const REMOVED = JobStatus.deleting | JobStatus.deleted;
const PRINTED = JobStatus.printed | JobStatus.retained;

/** What this process knows of a document at the spooler. */
export interface Track {
  readonly queue: string;
  readonly spoolerJobId: string;
  /** The run of the spooler that has the job. */
  readonly epoch: string;
  /**
   * `open`: bytes may be on their way. `ended`: this process ended the document. `broken`: it was deleted after its
   * first bytes. `withdrawn`: it was deleted without any. `found`: another run of the Agent created the job.
   */
  readonly stage: 'open' | 'ended' | 'broken' | 'withdrawn' | 'found';
  /** All flags ever seen. */
  readonly flags: number;
  /** The job or its queue was ever in a state that prints nothing. */
  readonly trouble: boolean;
}

/** Adds one look at the job to what is known of it. */
export function observed(track: Track, job: JobInfo, queue: QueueInfo): Track {
  const pages = job.pagesPrinted > 0 ? JobStatus.printing : 0;
  return {
    ...track,
    flags: track.flags | job.status | pages,
    trouble: track.trouble || !isOnline(queue) || (job.status & JOB_TROUBLE) !== 0,
  };
}

/** State of a job in the queue, whose flags `track` already has. */
export function sightingOf(track: Track, job: JobInfo): Sighting {
  const { spoolerJobId } = track;
  const started = hasStarted(track);
  const message = messageOf(job);
  if ((job.status & PRINTED) !== 0) return { state: 'completed', spoolerJobId, started: true };
  const orphaned = track.stage === 'found' || track.stage === 'withdrawn';
  if (orphaned && (job.status & JobStatus.spooling) !== 0) {
    return job.size === 0 && !started
      ? { state: 'empty', spoolerJobId }
      : { state: 'aborted', spoolerJobId, started: true, message: 'the document was never ended' };
  }
  if ((job.status & (JobStatus.printing | JobStatus.complete)) !== 0) {
    return { state: 'printing', spoolerJobId, started: true, message };
  }
  return { state: 'waiting', spoolerJobId, started, message };
}

/**
 * State of a job that is not in the queue any more. Windows removes a printed job and keeps no record, so the outcome
 * is derived from the flags seen before. Without any, only a document that this process ended counts as completed.
 */
export function sightingOfGone(track: Track, epoch: string): Sighting {
  const { spoolerJobId, stage, flags } = track;
  const started = hasStarted(track);
  if (stage === 'withdrawn') return { state: 'cancelled', spoolerJobId, started: false };
  if (stage === 'broken') {
    return { state: 'aborted', spoolerJobId, started: true, message: 'deleted before its end' };
  }
  if ((flags & (PRINTED | JobStatus.complete)) !== 0) {
    return { state: 'completed', spoolerJobId, started: true };
  }
  if ((flags & REMOVED) !== 0) return { state: 'cancelled', spoolerJobId, started };
  const undisturbed = !track.trouble && epoch === track.epoch;
  return stage === 'ended' && undisturbed
    ? { state: 'completed', spoolerJobId, started: true }
    : { state: 'absent' };
}

/** True if the queue accepts jobs and its printer answers, as far as Windows knows. */
export function isOnline(queue: QueueInfo): boolean {
  return (queue.status & QUEUE_TROUBLE) === 0 && (queue.attributes & WORK_OFFLINE) === 0;
}

function hasStarted({ flags }: Track): boolean {
  return (flags & (JobStatus.printing | JobStatus.complete | PRINTED)) !== 0;
}

function messageOf({ status, statusText }: JobInfo): string | undefined {
  const names = Object.entries(JobStatus)
    .filter(([, flag]) => (status & flag & JOB_TROUBLE) !== 0)
    .map(([name]) => name);
  return statusText || names.join(', ') || undefined;
}
