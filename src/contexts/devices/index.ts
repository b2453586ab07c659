import { computerDecider } from './domain/computer.decider.js';
import type { ComputerEvent } from './domain/computer.events.js';
import { enrollmentDecider } from './domain/enrollment.decider.js';
import { aggregate } from '../../event-sourcing/index.js';

export * from './domain/computer.commands.js';
export {
  COMPUTER_STATUSES,
  PRINTER_STATUSES,
  type AddedPrinter,
  type AgentHealth,
  type ComputerEvent,
  type ComputerEventData,
  type ComputerStatus,
  type PrinterStatus,
  type UnknownJob,
} from './domain/computer.events.js';
export * from './coordinated.commands.js';
export { versionOfAdded } from './domain/computer.inventory.js';
export { isRenewalDue, newCredential } from './domain/computer.credential.js';
export { BEHIND_AFTER_SECONDS, changesHealth } from './domain/computer.presence.js';
export {
  hasFeature,
  isCurrentSession,
  knowsLossOf,
  wantsInventory,
  type Computer,
  type Printer,
} from './domain/computer.state.js';
export {
  isLostSession,
  isSuccession,
  predecessorsOf,
  sessionIdFor,
  sessionsBefore,
} from './domain/session-succession.js';
export * from './domain/enrollment.decider.js';
export {
  LINE_ENDINGS,
  TEXT_ENCODINGS,
  TEXT_FEATURE,
  TEXT_MODES,
  type TextSettings,
} from './domain/text-settings.js';

/** Manual changes; the agent's own reports are not audited. */
const AUDITED: ReadonlySet<ComputerEvent['type']> = new Set([
  'ComputerDisabled',
  'ComputerEnabled',
  'ComputerRevoked',
  'ComputerRenamed',
  'PrinterAdded',
  'AddedPrinterRemoved',
  'PrinterUpdated',
] as const);

export const computers = aggregate({
  category: 'computer',
  decider: computerDecider,
  serialised: true,
  auditedIn: ({ type }, { state, by }) =>
    AUDITED.has(type) && by.actor.kind !== 'device' ? state.accountId : undefined,
});

export const enrollments = aggregate({
  category: 'enrollment',
  decider: enrollmentDecider,
  auditedIn: ({ type }, { state }) =>
    type === 'EnrollmentCreated' && state.status !== 'absent' ? state.accountId : undefined,
});
