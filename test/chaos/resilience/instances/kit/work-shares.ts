import { readFileSync } from 'node:fs';
import type { Fleet, Instance } from './fleet.js';

/** What an instance has done since its start. */
interface Work {
  readonly requests: number;
  readonly projected: number;
  readonly cpuSeconds: number;
}

const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat after the name of the program. */
const [UTIME, STIME] = [11, 12];

/** The work of each instance of a fleet, added up over the times in which all of them run. */
export class WorkShares {
  private readonly done = new Map<string, Work>();

  constructor(private readonly fleet: Fleet) {}

  async during(work: () => Promise<unknown>): Promise<void> {
    const { instances } = this.fleet;
    const before = await Promise.all(instances.map(workOf));
    await work();
    const after = await Promise.all(instances.map(workOf));
    for (const [n, { name }] of instances.entries()) {
      const known = this.done.get(name) ?? { requests: 0, projected: 0, cpuSeconds: 0 };
      const add = (what: keyof Work) => known[what] + after[n]![what] - before[n]![what];
      this.done.set(name, {
        requests: add('requests'),
        projected: add('projected'),
        cpuSeconds: add('cpuSeconds'),
      });
    }
  }

  /** Of each instance, 1 being an even share. */
  of(what: keyof Work): readonly number[] {
    const all = [...this.done.values()].map((work) => work[what]);
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    return all.map((one) => Math.round((100 * one) / mean) / 100);
  }
}

async function workOf({ process: { url, pid } }: Instance): Promise<Work> {
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  const sum = (name: string) =>
    [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return {
    requests: sum('rps_http_request_duration_seconds_count'),
    projected: sum('rps_projection_events_total'),
    cpuSeconds: cpuOf(pid),
  };
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
}
