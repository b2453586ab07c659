import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** A person decides to print every job again that a restore parked before a moment. */
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
  /** Jobs that cannot be printed any more: expired, without document, or of a closed account. */
  readonly skipped: number;
}
