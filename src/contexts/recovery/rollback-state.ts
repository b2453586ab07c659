import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { isRaised } from './domain/rollback-alarm.decider.js';
import { rollbackAlarms, STORE_ID } from './recovery.aggregates.js';

/** Whether a rollback of the store was detected: the same on every instance and after a restart. */
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
