import type { Milliseconds } from '../../../kernel/time.js';

/** Set by the operator. Events store the resulting times, so that a rebuild does not need them. */
export interface JobPolicy {
  readonly lifetimeMs: Milliseconds;
  readonly leaseMs: Milliseconds;
  /** Maximum silence of an agent between accept and hand-off. */
  readonly acceptGraceMs: Milliseconds;
  /** From the hand-off to the report `spooled`. */
  readonly handoffGraceMs: Milliseconds;
  /** Until the spooler's result, and between accept and hand-off. */
  readonly spoolWatchMs: Milliseconds;
  /** By retry count; the last one is repeated. Not empty. */
  readonly retryDelaysMs: readonly Milliseconds[];
  /** Silence after which a replaced session counts as restarted. */
  readonly successionMs: Milliseconds;
  readonly reviewWindowMs: Milliseconds;
  readonly contentRetentionMs: Milliseconds;
}

/** The job fails after this many lapses, because its agent leases it without working on it. */
export const LAPSES_IN_A_ROW = 5;

/** Each further grant waits: 1 s, then twice as long each time, up to a minute. */
export const RELEASES_IN_A_ROW = 5;
export const LONGEST_PAUSE_MS: Milliseconds = 60_000;

export const LATE_RESULTS_KEPT = 32;

/** Both bound the stream of a job. */
export const MAX_REPRINTS = 100;
export const MAX_MOVES = 20;

export const defaultJobPolicy: JobPolicy = {
  lifetimeMs: 86_400_000,
  leaseMs: 60_000,
  acceptGraceMs: 120_000,
  handoffGraceMs: 600_000,
  spoolWatchMs: 1_800_000,
  retryDelaysMs: [15_000, 60_000, 300_000, 900_000, 1_800_000],
  successionMs: 40_000,
  reviewWindowMs: 259_200_000,
  contentRetentionMs: 86_400_000,
};
