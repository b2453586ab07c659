import type { Cost } from './programs/usage.js';

/** Target value of a figure. */
export interface Target {
  readonly at: 'least' | 'most';
  readonly value: number;
}

/** One line of the report. */
export interface Figure {
  readonly name: string;
  readonly unit: '/s' | 'ms' | 's' | 'MB' | 'bytes' | '%' | 'x';
  /** One value per round; the figure is their median. */
  readonly rounds: readonly number[];
  readonly target?: Target;
  /** CPU cost of the measured process for 1,000 operations. */
  readonly cost?: Cost;
  /** CPU-seconds of the load generator for 1,000 operations, on the same cores. */
  readonly generatorCost?: number;
  readonly rssMb?: number;
  readonly note?: string;
}

/** Shared context of the measures of one run. */
export interface Bench {
  readonly rounds: number;
  /** Duration of one round of load. */
  readonly seconds: number;
  /** Number of jobs in the large store. */
  readonly manyJobs: number;
  /** Creates an empty folder, deleted at the end of the run. */
  folder(name: string): string;
  /** Data folder with `manyJobs` jobs in one account; created once per run and shared by all measures. */
  manyJobsFolder(): Promise<string>;
  say(text: string): void;
}

export interface Measure {
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<readonly Figure[]>;
}

export const atLeast = (value: number): Target => ({ at: 'least', value });
export const atMost = (value: number): Target => ({ at: 'most', value });
