import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import path from 'node:path';
import { quantile } from './statistics.js';

export interface Machine {
  readonly cores: number;
  readonly model: string;
  readonly memory_gb: number;
  readonly kernel: string;
  readonly node: string;
  /** One-minute load average before the bench: above 0.2 the machine was not idle. */
  readonly load_before: number;
  readonly fdatasync_ms: { readonly p50: number; readonly p99: number };
}

const SYNCS = 200;
const PAGE_BYTES = 4_096;

export function describeMachine(folder: string): Machine {
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 1e8) / 10,
    kernel: release(),
    node: process.version,
    load_before: Math.round(loadavg()[0]! * 100) / 100,
    fdatasync_ms: fdatasyncLatency(folder),
  };
}

/** Time to append and sync one page on the disk of `folder`. */
function fdatasyncLatency(folder: string): Machine['fdatasync_ms'] {
  const file = openSync(path.join(folder, 'fdatasync-probe'), 'w');
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const times: number[] = [];
  for (let n = 0; n < SYNCS; n++) {
    writeSync(file, page);
    const start = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return { p50: rounded(quantile(times, 0.5)), p99: rounded(quantile(times, 0.99)) };
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;
