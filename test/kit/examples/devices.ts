import * as commands from '../../../src/contexts/devices/domain/computer.commands.js';
import type {
  AgentHealth,
  ComputerEvent,
  ComputerEventData,
  PrinterChanges,
  PrinterStatus,
  UnknownJob,
} from '../../../src/contexts/devices/domain/computer.events.js';
import * as enrollments from '../../../src/contexts/devices/domain/enrollment.decider.js';
import type { EnrollmentEvent } from '../../../src/contexts/devices/domain/enrollment.events.js';
import { plus, type Instant } from '../../../src/kernel/time.js';
import { NOON } from '../recorded.js';
import { ACCOUNT_ID, COMPUTER_ID, PRINTER_ID, SESSION_ID } from './jobs.js';

export { ACCOUNT_ID, COMPUTER_ID, PRINTER_ID, SESSION_ID };
export const ENROLLMENT_ID = '019aa000-0000-7000-8000-0000000000d1';
export const INSTALLATION_ID = '019aa000-0000-4000-8000-0000000000d2';
export const OTHER_ID = '019aa000-0000-7000-8000-0000000000d3';
export const COMPUTER_STREAM = `computer-${COMPUTER_ID}`;

const by = { actor: { kind: 'operator', id: 'operator' }, correlationId: 'correlation-1' } as const;

/** Enrolment tokens. */
const token = {
  accountId: ACCOUNT_ID,
  hash: 'd'.repeat(64),
  expiresAt: plus(NOON, 600_000),
  createdBy: by.actor,
};
export const enrollmentCreated = {
  type: 'EnrollmentCreated',
  data: { enrollmentId: ENROLLMENT_ID, ...token },
} satisfies EnrollmentEvent;
export const enrollmentClaimed = {
  type: 'EnrollmentClaimed',
  data: { installationId: INSTALLATION_ID, computerId: COMPUTER_ID },
} satisfies EnrollmentEvent;
export const enrollmentCompleted = {
  type: 'EnrollmentCompleted',
  data: { computerId: COMPUTER_ID },
} satisfies EnrollmentEvent;
export const createEnrollment = new enrollments.CreateEnrollment({
  enrollmentId: ENROLLMENT_ID,
  token,
  at: NOON,
  by,
});
export const claimEnrollment = (installationId = INSTALLATION_ID, computerId = COMPUTER_ID, at = NOON) =>
  new enrollments.ClaimEnrollment({ enrollmentId: ENROLLMENT_ID, installationId, computerId, at, by });
export const completeEnrollment = new enrollments.CompleteEnrollment({
  enrollmentId: ENROLLMENT_ID,
  at: NOON,
  by,
});

/** The computer at the reception. */
const description = {
  hostname: 'RECEPTION',
  operatingSystem: 'Windows 11',
  agentVersion: '1.0.0',
  installerVersion: '3',
};
export const credential = (hash = 'e'.repeat(64), expiresAt: Instant = plus(NOON, 180 * 86_400_000)) => ({
  credentialHash: hash,
  credentialExpiresAt: expiresAt,
});
const identity = {
  accountId: ACCOUNT_ID,
  installationId: INSTALLATION_ID,
  friendlyCode: 'PC-0A1B2C3D',
};
export const registered = {
  type: 'ComputerRegistered',
  data: { computerId: COMPUTER_ID, ...identity, ...description, name: 'RECEPTION', ...credential() },
} satisfies ComputerEvent;
export const NEW_HASH = 'f'.repeat(64);
export const reenrolled = (more: Partial<ComputerEventData['ComputerReenrolled']> = {}) =>
  ({
    type: 'ComputerReenrolled',
    data: { ...description, name: 'RECEPTION', ...credential(NEW_HASH), ...more },
  }) satisfies ComputerEvent;
export const renewed = (hash = NEW_HASH) =>
  ({ type: 'DeviceCredentialRenewed', data: credential(hash) }) satisfies ComputerEvent;
export const replaced = (hash = NEW_HASH) =>
  ({ type: 'DeviceCredentialReplaced', data: credential(hash) }) satisfies ComputerEvent;
export const sessionStarted = (more: Partial<ComputerEventData['AgentSessionStarted']> = {}) =>
  ({
    type: 'AgentSessionStarted',
    data: {
      sessionId: SESSION_ID,
      agentVersion: '1.0.0',
      operatingSystem: 'Windows 11',
      hostname: 'RECEPTION',
      startedAt: NOON,
      name: 'RECEPTION',
      ...more,
    },
  }) satisfies ComputerEvent;
export const sessionCalled = (sessionId = SESSION_ID) =>
  ({ type: 'ReplacedSessionCalled', data: { sessionId } }) satisfies ComputerEvent;
export const unknownJob = (n = 1): UnknownJob => ({
  jobId: `019aa000-0000-7000-8000-0000000004${String(n).padStart(2, '0')}`,
  leaseId: OTHER_ID,
  fence: n,
  phase: 'handing_off',
});
export const unknownJobReported = (n = 1) =>
  ({ type: 'UnknownJobReported', data: unknownJob(n) }) satisfies ComputerEvent;
export const health = (more: Partial<AgentHealth> = {}): AgentHealth => ({
  freeBytes: 5_000_000_000,
  lowSpace: false,
  unsentReports: 0,
  behind: false,
  lastError: null,
  ...more,
});
export const healthChanged = (more: Partial<AgentHealth> = {}) =>
  ({ type: 'AgentHealthChanged', data: health(more) }) satisfies ComputerEvent;
export const cameOnline = { type: 'ComputerCameOnline', data: {} } satisfies ComputerEvent;
export const wentOffline = { type: 'ComputerWentOffline', data: {} } satisfies ComputerEvent;
export const disabled = { type: 'ComputerDisabled', data: {} } satisfies ComputerEvent;
export const enabled = (status: 'pending' | 'offline') =>
  ({ type: 'ComputerEnabled', data: { status } }) satisfies ComputerEvent;
export const revoked = { type: 'ComputerRevoked', data: { reason: 'sold' } } satisfies ComputerEvent;

export const renamed = (name: string, givenName = name, renames?: readonly string[]) =>
  ({
    type: 'ComputerRenamed',
    data: { name, givenName, ...(renames && { renames }) },
  }) satisfies ComputerEvent;

export const lostEventReported = (seen: string, jobsParked: number) =>
  ({ type: 'LostEventReported', data: { seen, jobsParked } }) satisfies ComputerEvent;

/** Its printers: number 1 is at the front desk. */
export const printerIdOf = (n: number) =>
  n === 1 ? PRINTER_ID : `019aa000-0000-7000-8000-0000000002${String(n).padStart(2, '0')}`;
export const fresh = (n: number): commands.FreshPrinter => ({
  printerKey: `queue-${n}`,
  printerId: printerIdOf(n),
  printerCode: `PR-0000000${n}`,
});
export const report = (n = 1, more: Partial<commands.ReportedPrinter> = {}): commands.ReportedPrinter => ({
  printerKey: `queue-${n}`,
  systemName: `Queue ${n}`,
  driver: 'Generic',
  port: 'USB001',
  isDefault: n === 1,
  isVirtual: false,
  capabilities: { contentTypes: ['pdf', 'raw'], color: false, duplex: null, papers: ['A4'] },
  online: true,
  ...more,
});
export const detected = (n = 1, more: Partial<ComputerEventData['PrinterDetected']> = {}) => {
  const { online, ...properties } = report(n);
  const place = { accountId: ACCOUNT_ID, computerId: COMPUTER_ID, computerName: 'RECEPTION' };
  return {
    type: 'PrinterDetected',
    data: { ...fresh(n), ...place, ...properties, reportedOnline: online, ...more },
  } satisfies ComputerEvent;
};
const statusEvent =
  <T extends 'PrinterCameOnline' | 'PrinterWentOffline' | 'PrinterDisabled' | 'PrinterRemoved'>(type: T) =>
  (previousStatus: PrinterStatus, n = 1, reportedOnline = true) => ({
    type,
    data: { printerId: printerIdOf(n), previousStatus, reportedOnline },
  });
export const printerOnline = statusEvent('PrinterCameOnline');
export const printerOffline = statusEvent('PrinterWentOffline');
export const printerDisabled = statusEvent('PrinterDisabled');
export const printerRemoved = statusEvent('PrinterRemoved');
export const updated = (changes: PrinterChanges, n = 1) =>
  ({ type: 'PrinterUpdated', data: { printerId: printerIdOf(n), changes } }) satisfies ComputerEvent;
/** Updated by an inventory. */
export const reported = (changes: PrinterChanges, n = 1, reportedAt = NOON) =>
  ({
    type: 'PrinterUpdated',
    data: { printerId: printerIdOf(n), changes, reportedAt },
  }) satisfies ComputerEvent;
export const deferred = (until: Instant | null) =>
  ({ type: 'InventoryDeferred', data: { until } }) satisfies ComputerEvent;

/** Commands. */
export const enrol = (
  stored = credential(),
  described: Partial<typeof description> & { displayName?: string } = description,
) =>
  new commands.EnrollComputer({
    computerId: COMPUTER_ID,
    enrolling: { ...identity, description: described },
    credential: stored,
    at: NOON,
    by,
  });
export const startSession = (more: Partial<commands.AgentSession> = {}) => {
  const { agentVersion, operatingSystem, hostname } = description;
  const said = {
    sessionId: SESSION_ID,
    installationId: INSTALLATION_ID,
    agentVersion,
    operatingSystem,
    hostname,
  };
  return new commands.StartAgentSession({
    computerId: COMPUTER_ID,
    session: { ...said, ...more },
    at: NOON,
    by,
  });
};
export const noteReplaced = (sessionId = SESSION_ID) =>
  new commands.NoteReplacedSession({ computerId: COMPUTER_ID, sessionId, at: NOON, by });
export const reportUnknown = (...jobs: readonly UnknownJob[]) =>
  new commands.ReportUnknownJobs({ computerId: COMPUTER_ID, jobs, at: NOON, by });
export const reportHealth = (more: Partial<AgentHealth> = {}) =>
  new commands.ReportAgentHealth({ computerId: COMPUTER_ID, health: health(more), at: NOON, by });
export const see = new commands.RecordAgentCall({
  computerId: COMPUTER_ID,
  credentialHash: 'e'.repeat(64),
  at: NOON,
  by,
});
export const callWith = (hash: string) =>
  new commands.RecordAgentCall({ computerId: COMPUTER_ID, credentialHash: hash, at: NOON, by });
/** @param daysLeft until the end of the first credential */
export const renew = (daysLeft = 30, hash = NEW_HASH) =>
  new commands.RenewCredential({
    computerId: COMPUTER_ID,
    credential: credential(hash),
    at: plus(NOON, (180 - daysLeft) * 86_400_000),
    by,
  });
export const markOffline = new commands.MarkComputerOffline({ computerId: COMPUTER_ID, at: NOON, by });
export const disable = new commands.DisableComputer({ computerId: COMPUTER_ID, at: NOON, by });
export const enable = (present: boolean) =>
  new commands.EnableComputer({ computerId: COMPUTER_ID, present, at: NOON, by });
export const revoke = new commands.RevokeComputer({ computerId: COMPUTER_ID, reason: 'sold', at: NOON, by });
export const reportLostEvent = (seen: string, jobsParked: number) =>
  new commands.ReportLostEvent({ computerId: COMPUTER_ID, seen, jobsParked, at: NOON, by });
export const sync = (
  printers: readonly commands.ReportedPrinter[],
  pool = [1, 2, 3].map(fresh),
  { at = NOON, budget = 1_000 }: { readonly at?: Instant; readonly budget?: number } = {},
) => new commands.SyncInventory({ computerId: COMPUTER_ID, printers, fresh: pool, budget, at, by });
export const rename = (displayName: string) =>
  new commands.RenameComputer({ computerId: COMPUTER_ID, displayName, at: NOON, by });
export const updatePrinter = (settings: commands.PrinterSettings, n = 1) =>
  new commands.UpdatePrinter({ computerId: COMPUTER_ID, printerId: printerIdOf(n), settings, at: NOON, by });

/** Printers that the operator adds. */
export const added = (name: string, address: string) =>
  ({ type: 'PrinterAdded', data: { name, address } }) satisfies ComputerEvent;
export const removedAdded = (name: string) =>
  ({ type: 'AddedPrinterRemoved', data: { name } }) satisfies ComputerEvent;
export const addPrinter = (name: string, address: string) =>
  new commands.AddPrinter({ computerId: COMPUTER_ID, printer: { name, address }, at: NOON, by });
export const removeAdded = (name: string) =>
  new commands.RemoveAddedPrinter({ computerId: COMPUTER_ID, name, at: NOON, by });
