import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { median } from '../statistics.js';

/** CPU-seconds by thread id, from the kernel's own count (10 ms steps). */
export interface Usage {
  readonly pid: number;
  readonly threads: ReadonlyMap<number, number>;
}

/** CPU-seconds for 1,000 operations. */
export interface Cost {
  readonly total: number;
  /** The event loop and everything on it. */
  readonly main: number;
  /** The busiest other thread: the writer, in measures that write. */
  readonly writer: number;
}

/** USER_HZ of every Linux that runs Node. */
const TICKS_PER_SECOND = 100;
/** Fields of proc(5) `stat` after the name, counted from the state: utime and stime. */
const UTIME = 11;
const STIME = 12;

export function usageOf(pid: number): Usage {
  const threads = new Map<number, number>();
  for (const tid of readdirSync(`/proc/${pid}/task`)) threads.set(Number(tid), secondsOf(pid, tid));
  return { pid, threads };
}

function secondsOf(pid: number, tid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
  } catch {
    return 0; // The thread ended between the two readings.
  }
}

export function costOf(before: Usage, after: Usage, operations: number): Cost {
  let main = 0;
  let writer = 0;
  let total = 0;
  for (const [tid, seconds] of after.threads) {
    const spent = Math.max(0, seconds - (before.threads.get(tid) ?? 0));
    total += spent;
    if (tid === after.pid) main = spent;
    else writer = Math.max(writer, spent);
  }
  const each = (spent: number) => (spent * 1000) / operations;
  return { total: each(total), main: each(main), writer: each(writer) };
}

/** Median of each part. */
export function medianCost(costs: readonly Cost[]): Cost {
  const middle = (of: (cost: Cost) => number) => median(costs.map(of));
  return { total: middle((c) => c.total), main: middle((c) => c.main), writer: middle((c) => c.writer) };
}

/** Resident memory in megabytes (10^6): current value, and peak since the last `forgetPeak`. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
