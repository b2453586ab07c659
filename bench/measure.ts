import type { Cost } from './programs/usage.js';

/** What a figure has to reach: the issue's own number. */
export interface Target {
  readonly at: 'least' | 'most';
  readonly value: number;
}

/** One line of the report. */
export interface Figure {
  readonly name: string;
  readonly unit: '/s' | 'ms' | 's' | 'MB' | '%' | 'x';
  /** One value for each round; the figure is their median. */
  readonly rounds: readonly number[];
  readonly target?: Target;
  /** What the service (or the library's process) spent on 1,000 operations. */
  readonly cost?: Cost;
  /** What the load generator spent on the same cores, in CPU-seconds for 1,000 operations. */
  readonly generatorCost?: number;
  readonly rssMb?: number;
  readonly note?: string;
}

/** What measures share in one run. */
export interface Bench {
  readonly rounds: number;
  /** How long one round of load lasts. */
  readonly seconds: number;
  /** Jobs in the store that counts as large. */
  readonly manyJobs: number;
  /** A new empty folder, gone at the end of the run. */
  folder(name: string): string;
  /** A data folder with `manyJobs` jobs in one account; made once in a run, left as the last user leaves it. */
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
