import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';

/** The store was restored from a backup: a person decides on every job that is not at rest. */
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
  /** Jobs that this command parked. Repeated after a crash, it counts only what the crash left over. */
  readonly parked: number;
}
