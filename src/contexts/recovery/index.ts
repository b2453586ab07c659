export { AnswerPositions } from './answer-positions.js';
export { CheckSeen } from './check-seen.command.js';
export { positionOf } from './domain/position.js';
export { RecordRestore, type StoreRestored } from './domain/restores.decider.js';
export { RaiseRollbackAlarm } from './domain/rollback-alarm.decider.js';
export { RecentRestore } from './recent-restore.js';
export { restores, rollbackAlarms, STORE_ID } from './recovery.aggregates.js';
export { RollbackState } from './rollback-state.js';
