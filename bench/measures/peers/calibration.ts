import { createHash } from 'node:crypto';
import type { Milliseconds } from '../../../src/kernel/time.js';

const BLOCK = Buffer.alloc(65_536, 'a');
const BLOCKS = 2_000;
const MAX_MOVED = 0.1;

/** Time of a fixed amount of work on one core. */
function calibrate(): Milliseconds {
  const start = performance.now();
  for (let n = 0; n < BLOCKS; n++) createHash('sha256').update(BLOCK).digest();
  return performance.now() - start;
}

export interface Calibrated<T> {
  readonly result: T;
  /** False if the machine was more than a tenth faster or slower after the work than before. */
  readonly isSteady: boolean;
}

/** Runs `work` between two runs of the same loop: what a busy machine measured is compared with nothing. */
export async function calibrated<T>(work: () => Promise<T>): Promise<Calibrated<T>> {
  const before = calibrate();
  const result = await work();
  const after = calibrate();
  return { result, isSteady: Math.abs(after - before) <= MAX_MOVED * Math.min(before, after) };
}
