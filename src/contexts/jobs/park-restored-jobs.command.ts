import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** Parks every active job of a store restored from a backup for a manual decision. */
export class ParkRestoredJobs extends Command<RestoredJobsParked> {
  constructor(
    readonly backupAt: Instant,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface RestoredJobsParked {
  /** Number of jobs parked by this command; a repeat after a crash counts only the remaining ones. */
  readonly parked: number;
}
