import { command, type Outcome } from '../../../kernel/command.js';
import { accept, type Decider } from '../../../kernel/decider.js';
import type { Instant } from '../../../kernel/time.js';

/** Precondition: the jobs of the store are parked. `at`: of the restore. */
export class RecordRestore extends command('RecordRestore')<
  { backupAt: Instant; parked: number },
  Outcome<Restores, StoreRestored, never>
> {}

export interface StoreRestored {
  readonly type: 'StoreRestored';
  readonly data: { readonly backupAt: Instant; readonly restoredAt: Instant; readonly parked: number };
}

export interface Restores {
  readonly newest: StoreRestored['data'] | undefined;
}

/** A second restore from one backup lacks the first record, which is younger than the backup. */
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
