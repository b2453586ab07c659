import type { JobStatus } from '../../src/contexts/jobs/domain/job.events.js';
import { elapsed, type Instant, type Milliseconds } from '../../src/kernel/time.js';
import type { Listing } from './job-view.js';

/** Upper bounds of the histogram of times from creation to the spooler. A longer time has no bound. */
export const SPOOL_TIME_BOUNDS: readonly Milliseconds[] = [
  ...[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000],
  ...[60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000],
];
const LONGER = 'longer';

/** Half of the jobs, and 95 %, were at the spooler within this time; undefined if none was. */
interface SpoolTimes {
  readonly p50: Milliseconds | undefined;
  readonly p95: Milliseconds | undefined;
}

/** Jobs created within one hour, by the status that they have now. */
export interface JobHour extends SpoolTimes {
  /** `YYYY-MM-DDTHH` in UTC. */
  readonly hour: string;
  readonly jobs: Readonly<Partial<Record<JobStatus, number>>>;
}

/** The smallest bound that is not exceeded, as text. */
export function spooledWithin(createdAt: Instant, spooledAt: Instant): string {
  const took = elapsed(createdAt, spooledAt);
  return String(SPOOL_TIME_BOUNDS.find((bound) => took <= bound) ?? LONGER);
}

/** Jobs of one hour with one status and one bound. */
export interface HourTotal {
  readonly hour: string;
  readonly listedAs: Listing;
  readonly within: string | null;
  readonly n: number;
}

export interface JobHours extends SpoolTimes {
  /** Oldest first, without hours in which no job was created. */
  readonly hours: readonly JobHour[];
}

export function jobHours(totals: readonly HourTotal[]): JobHours {
  const byHour = new Map<string, HourTotal[]>();
  for (const total of totals) {
    const same = byHour.get(total.hour);
    if (same) same.push(total);
    else byHour.set(total.hour, [total]);
  }
  const hours = [...byHour].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    hours: hours.map(([hour, ofHour]) => ({ hour, jobs: jobsByStatus(ofHour), ...spoolTimes(ofHour) })),
    ...spoolTimes(totals),
  };
}

function spoolTimes(totals: readonly HourTotal[]): SpoolTimes {
  const times = histogramOf(totals);
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

function jobsByStatus(totals: readonly HourTotal[]): JobHour['jobs'] {
  const jobs: Partial<Record<JobStatus, number>> = {};
  for (const { listedAs, n } of totals) {
    const status = listedAs === 'retrying' ? 'failed' : listedAs;
    jobs[status] = (jobs[status] ?? 0) + n;
  }
  return jobs;
}

/** Jobs by bound; the last number is of those without one. */
function histogramOf(totals: readonly HourTotal[]): readonly number[] {
  const counted = SPOOL_TIME_BOUNDS.map(() => 0).concat(0);
  for (const { within, n } of totals) {
    if (within === null) continue;
    const at = within === LONGER ? -1 : SPOOL_TIME_BOUNDS.indexOf(Number(within));
    counted[at < 0 ? SPOOL_TIME_BOUNDS.length : at]! += n;
  }
  return counted;
}

/** Between two bounds times are taken as evenly spread; beyond the last one, the last bound. */
function percentile(counted: readonly number[], share: number): Milliseconds | undefined {
  const wanted = share * counted.reduce((sum, n) => sum + n, 0);
  if (wanted === 0) return undefined;
  let below = 0;
  for (const [n, bound] of SPOOL_TIME_BOUNDS.entries()) {
    const here = counted[n]!;
    if (below + here >= wanted) {
      const start = SPOOL_TIME_BOUNDS[n - 1] ?? 0;
      return Math.round(start + ((bound - start) * (wanted - below)) / here);
    }
    below += here;
  }
  return SPOOL_TIME_BOUNDS.at(-1);
}
