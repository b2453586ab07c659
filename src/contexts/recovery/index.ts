export { AnswerPositions } from './answer-positions.js';
export { CheckSeen } from './check-seen.handler.js';
export { RecordRestore } from './domain/restores.decider.js';
export { RaiseRollbackAlarm } from './domain/rollback-alarm.decider.js';
export { RecentRestore, restores, rollbackAlarms, RollbackState, STORE_ID } from './recovery.aggregates.js';
