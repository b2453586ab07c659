import { Command, type Outcome } from '../../../kernel/command.js';
import { accept, type Decider } from '../../../kernel/decider.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

/**
 * Records that the jobs of a restored store are parked, before the service serves requests; `at` is the time of
 * the restore.
 */
export class RecordRestore extends Command<Outcome<Restores, StoreRestored, never>> {
  constructor(
    /** Time of the backup that the store was restored from. */
    readonly backupAt: Instant,
    /** Number of jobs parked for a manual decision. */
    readonly parked: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface StoreRestored {
  readonly type: 'StoreRestored';
  readonly data: { readonly backupAt: Instant; readonly restoredAt: Instant; readonly parked: number };
}

export interface Restores {
  readonly newest: StoreRestored['data'] | undefined;
}

/**
 * Restores of the store. A start that crashed after recording its restore repeats it with the same backup. A
 * store restored twice from one backup lacks the first record, which is younger than the backup.
 */
export const restoresDecider: Decider<Restores, RecordRestore, StoreRestored, never> = {
  initialState: { newest: undefined },

  decide({ newest }, { backupAt, parked, at }) {
    if (newest?.backupAt === backupAt) return accept();
    return accept({ type: 'StoreRestored', data: { backupAt, restoredAt: at, parked } });
  },

  evolve(_state, { data }) {
    return { newest: data };
  },
};
