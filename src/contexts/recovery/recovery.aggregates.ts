import { Injectable } from '@nestjs/common';
import { Clock, plus, type Instant, type Milliseconds } from '../../kernel/time.js';
import { restoresDecider, type StoreRestored } from './domain/restores.decider.js';
import { isRaised, rollbackAlarmDecider } from './domain/rollback-alarm.decider.js';
import { aggregate, AggregateStore } from '../../event-sourcing/index.js';

export const STORE_ID = '00000000-0000-0000-0000-000000000000';

export const restores = aggregate({ category: 'restores', decider: restoresDecider });

export const rollbackAlarms = aggregate({ category: 'rollbackAlarm', decider: rollbackAlarmDecider });

/** From the stream, so the same on every instance and after a restart. */
@Injectable()
export class RollbackState {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly clock: Clock,
  ) {}

  /** True for 24 hours after a detection. @throws UnavailableError */
  async isRolledBack(): Promise<boolean> {
    const { state } = await this.aggregates.load(rollbackAlarms, STORE_ID);
    return isRaised(state, this.clock.now());
  }
}

const ANNOUNCED_MS: Milliseconds = 24 * 3_600_000;

/** In memory, because every create needs it. */
export class RecentRestore {
  private newest: StoreRestored['data'] | undefined;

  note(restore: StoreRestored['data'] | undefined): void {
    this.newest = restore;
  }

  /** When the newest restore ever was; undefined without any. */
  get restoredAt(): Instant | undefined {
    return this.newest?.restoredAt;
  }

  /**
   * For 24 hours: idempotency keys between backup and loss are unknown, so clients should not repeat them.
   */
  backupAt(now: Instant): Instant | undefined {
    const restore = this.newest;
    return restore && now < plus(restore.restoredAt, ANNOUNCED_MS) ? restore.backupAt : undefined;
  }
}
