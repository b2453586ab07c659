import type { Aggregate } from '../../event-sourcing/write/aggregate-store.js';
import {
  rollbackAlarmDecider,
  type RaiseRollbackAlarm,
  type RollbackAlarm,
  type StoreRollbackDetected,
} from './domain/rollback-alarm.decider.js';

/** The store has one alarm, and this is its stream's id. */
export const ROLLBACK_ALARM_ID = '00000000-0000-0000-0000-000000000000';

export const rollbackAlarms: Aggregate<RollbackAlarm, RaiseRollbackAlarm, StoreRollbackDetected, never> = {
  category: 'rollbackAlarm',
  decider: rollbackAlarmDecider,
};
