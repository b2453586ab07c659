import type { Aggregate } from '../../event-sourcing/write/aggregate-store.js';
import type { ComputerCommand } from './domain/computer.commands.js';
import { computerDecider } from './domain/computer.decider.js';
import type { ComputerEvent } from './domain/computer.events.js';
import type { ComputerRejection } from './domain/computer.rejections.js';
import type { Computer } from './domain/computer.state.js';
import type { EnrollmentCommand, EnrollmentTokenInvalid } from './domain/enrollment.commands.js';
import { enrollmentDecider, type Enrollment } from './domain/enrollment.decider.js';
import type { EnrollmentEvent } from './domain/enrollment.events.js';

export * from './domain/computer.commands.js';
export {
  COMPUTER_STATUSES,
  PRINTER_STATUSES,
  type ComputerDescription,
  type ComputerEvent,
  type ComputerEventData,
  type ComputerStatus,
  type DeviceCredential,
  type PrinterCapabilities,
  type PrinterChanges,
  type PrinterProperties,
  type PrinterStatus,
  type UnknownJob,
} from './domain/computer.events.js';
export type { ComputerRejection } from './domain/computer.rejections.js';
export { RedeemEnrollment, type Redeemed } from './redeem-enrollment.command.js';
export { ReportInventory } from './report-inventory.command.js';
export { isCurrentSession, knowsLossOf, type Computer } from './domain/computer.state.js';
export {
  isLostSession,
  isSuccession,
  predecessorsOf,
  sessionIdFor,
  sessionsBefore,
} from './domain/session-succession.js';
export * from './domain/enrollment.commands.js';
export type { Enrollment } from './domain/enrollment.decider.js';
export type { EnrollmentEvent } from './domain/enrollment.events.js';
export { effectiveStatus, type Printer } from './domain/printer.state.js';

/** Computers with their printers. */
export const computers: Aggregate<Computer, ComputerCommand, ComputerEvent, ComputerRejection> = {
  category: 'computer',
  decider: computerDecider,
};

export const enrollments: Aggregate<Enrollment, EnrollmentCommand, EnrollmentEvent, EnrollmentTokenInvalid> =
  {
    category: 'enrollment',
    decider: enrollmentDecider,
  };
