import { Global, Module } from '@nestjs/common';
import { AnswerPositions } from './answer-positions.js';
import { CheckSeenHandler } from './check-seen.handler.js';
import { RecentRestore, RollbackState } from './recovery.aggregates.js';

@Global()
@Module({
  providers: [AnswerPositions, CheckSeenHandler, RecentRestore, RollbackState],
  exports: [AnswerPositions, RecentRestore, RollbackState],
})
export class RecoveryModule {}
