export { AnswerPositions } from './answer-positions.js';
export { CheckSeen } from './check-seen.command.js';
export { positionOf } from './domain/position.js';
export { RollbackState } from './rollback-state.js';
