import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** Requeues every job that a restore parked before the given time. */
export class ReleaseRestoredJobs extends Command<RestoredJobsReleased> {
  constructor(
    /** Exclusive. */
    readonly parkedBefore: Instant,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface RestoredJobsReleased {
  readonly released: number;
  /** Jobs that can no longer be printed: expired, without document, or of a closed account. */
  readonly skipped: number;
}
