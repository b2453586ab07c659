import { plus, type Instant, type Milliseconds } from '../../kernel/time.js';
import type { StoreRestored } from './domain/restores.decider.js';

const ANNOUNCED_MS: Milliseconds = 24 * 3_600_000;

/** The newest restore of the store, in memory because every create needs it. */
export class RecentRestore {
  private newest: StoreRestored['data'] | undefined;

  note(restore: StoreRestored['data'] | undefined): void {
    this.newest = restore;
  }

  /**
   * Time of the backup for 24 hours after the restore, else undefined. Idempotency keys used between the backup
   * and the loss are unknown, so clients are asked to hold back repeats (docs/operations.md).
   */
  backupAt(now: Instant): Instant | undefined {
    const restore = this.newest;
    return restore && now < plus(restore.restoredAt, ANNOUNCED_MS) ? restore.backupAt : undefined;
  }
}
