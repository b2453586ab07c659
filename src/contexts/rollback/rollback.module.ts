import { Global, Module } from '@nestjs/common';
import { AnswerPositions } from './answer-positions.js';
import { CheckSeenHandler } from './check-seen.handler.js';
import { RollbackState } from './rollback-state.js';

@Global()
@Module({
  providers: [AnswerPositions, CheckSeenHandler, RollbackState],
  exports: [AnswerPositions, RollbackState],
})
export class RollbackModule {}
