import type { Milliseconds } from '../../../kernel/time.js';

/** Durations the operator may set. What follows from them goes into the events, so a rebuild never needs them. */
export interface JobPolicy {
  /** Life of a job that asks for none. */
  readonly lifetimeMs: Milliseconds;
  readonly leaseMs: Milliseconds;
  /** How long an agent that has accepted a job may be silent before the hand-off. */
  readonly acceptGraceMs: Milliseconds;
  /** How long after the hand-off `spooled` may stay out. */
  readonly handoffGraceMs: Milliseconds;
  /** How long the spooler's result may stay out; also the longest stay between accept and hand-off. */
  readonly spoolWatchMs: Milliseconds;
  /** Delay of the automatic retry by retry count; the last one holds for all beyond. Not empty. */
  readonly retryDelaysMs: readonly Milliseconds[];
  /** A session that replaced another counts as its restart once the older one was silent for so long. */
  readonly successionMs: Milliseconds;
  /** A person has at least this long to decide about a parked job. */
  readonly reviewWindowMs: Milliseconds;
  /** Content outlives the last chance to print it by this. */
  readonly contentRetentionMs: Milliseconds;
}

/** So many lapses in a row and the job fails: an agent that takes it again and again does not get to it. */
export const LAPSES_IN_A_ROW = 5;

/** After so many releases in a row each further grant waits: 1 s, then twice as long each time, up to a minute. */
export const RELEASES_IN_A_ROW = 5;
export const LONGEST_PAUSE_MS: Milliseconds = 60_000;

/** So many late results of a job are stored; later ones change nothing and are not kept. */
export const LATE_RESULTS_KEPT = 32;

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
