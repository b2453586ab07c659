import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { JournalEntry, Verdict } from './reconcile.js';

/** A new session of an agent names the leases it still holds; all others become void at once. */
export class ReconcileSession extends Command<readonly Reconciled[]> {
  constructor(
    readonly computerId: string,
    readonly sessionId: string,
    readonly journal: readonly JournalEntry[],
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface Reconciled {
  readonly job_id: string;
  readonly fence: number;
  readonly verdict: Verdict;
}
