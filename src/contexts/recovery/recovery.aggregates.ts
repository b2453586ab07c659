import type { Aggregate } from '../../event-sourcing/write/aggregate-store.js';
import {
  restoresDecider,
  type RecordRestore,
  type Restores,
  type StoreRestored,
} from './domain/restores.decider.js';
import {
  rollbackAlarmDecider,
  type RaiseRollbackAlarm,
  type RollbackAlarm,
  type StoreRollbackDetected,
} from './domain/rollback-alarm.decider.js';

/** Stream id of the restores and of the alarm: there is one store. */
export const STORE_ID = '00000000-0000-0000-0000-000000000000';

export const restores: Aggregate<Restores, RecordRestore, StoreRestored, never> = {
  category: 'restores',
  decider: restoresDecider,
};

export const rollbackAlarms: Aggregate<RollbackAlarm, RaiseRollbackAlarm, StoreRollbackDetected, never> = {
  category: 'rollbackAlarm',
  decider: rollbackAlarmDecider,
};
