export { AnswerPositions } from './answer-positions.js';
export { CheckSeen } from './check-seen.command.js';
export { positionOf } from './domain/position.js';
export { RecordRestore, type StoreRestored } from './domain/restores.decider.js';
export { RecentRestore } from './recent-restore.js';
export { restores, STORE_ID } from './recovery.aggregates.js';
export { RollbackState } from './rollback-state.js';
