import { Module } from '@nestjs/common';
import {
  AddPrinter,
  CreateEnrollment,
  DisableComputer,
  EnableComputer,
  MarkComputerOffline,
  NoteReplacedSession,
  NoteSessionNaming,
  RemoveAddedPrinter,
  RenameComputer,
  RevokeComputer,
  RecordAgentCall,
  RenewCredential,
  StartAgentSession,
  UpdatePrinter,
  computers,
  enrollments,
} from './index.js';
import { RedeemEnrollmentHandler } from './redeem-enrollment.handler.js';
import { ReportInventoryHandler } from './report-inventory.handler.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

@Module({
  providers: [
    ...deciderHandlers(computers, (command) => command.computerId, [
      StartAgentSession,
      NoteReplacedSession,
      NoteSessionNaming,
      RecordAgentCall,
      RenewCredential,
      MarkComputerOffline,
      DisableComputer,
      EnableComputer,
      RevokeComputer,
      RenameComputer,
      UpdatePrinter,
      AddPrinter,
      RemoveAddedPrinter,
    ]),
    ...deciderHandlers(enrollments, (command) => command.enrollmentId, [CreateEnrollment]),
    RedeemEnrollmentHandler,
    ReportInventoryHandler,
  ],
})
export class DevicesModule {}
