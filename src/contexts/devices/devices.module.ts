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
  type ComputerCommand,
  type EnrollmentCommand,
} from './index.js';
import { RedeemEnrollmentHandler } from './redeem-enrollment.handler.js';
import { ReportInventoryHandler } from './report-inventory.handler.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

const COMPUTER = Symbol('computer aggregate');
const ENROLLMENT = Symbol('enrollment aggregate');

@Module({
  providers: [
    { provide: COMPUTER, useValue: computers },
    { provide: ENROLLMENT, useValue: enrollments },
    ...deciderHandlers<ComputerCommand>(COMPUTER, (command) => command.computerId, [
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
    ...deciderHandlers<EnrollmentCommand>(ENROLLMENT, (command) => command.enrollmentId, [CreateEnrollment]),
    RedeemEnrollmentHandler,
    ReportInventoryHandler,
  ],
})
export class DevicesModule {}
