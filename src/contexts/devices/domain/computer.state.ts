import type { Instant } from '../../../kernel/time.js';
import type {
  AddedPrinter,
  AgentHealth,
  ComputerEvent,
  ComputerEventData,
  ComputerStatus,
  DeviceCredential,
  PrinterProperties,
  PrinterStatus,
  UnknownJob,
} from './computer.events.js';
import type { TextSettings } from './text-settings.js';
import { withCaller, withEnded, type Sessions } from './session-succession.js';

export interface Printer extends PrinterProperties {
  readonly printerId: string;
  readonly printerCode: string;
  readonly printerKey: string;
  /** Null = shown by its system name. */
  readonly alias: string | null;
  /** Absent or null = text is printed as it is. */
  readonly text?: TextSettings | null;
  readonly enabled: boolean;
  /** Its jobs wait. */
  readonly paused?: boolean;
  readonly reportedOnline: boolean;
  /** Missing from the agent's inventory. */
  readonly removed: boolean;
  readonly status: PrinterStatus;
  readonly reportedAt?: Instant;
}

/** Removed and disabled win; otherwise online requires an online computer and queue. */
export function effectiveStatus(
  printer: Pick<Printer, 'removed' | 'enabled' | 'reportedOnline'>,
  computer: ComputerStatus | 'absent',
): PrinterStatus {
  if (printer.removed) return 'removed';
  if (!printer.enabled || computer === 'disabled' || computer === 'revoked') return 'disabled';
  return computer === 'online' && printer.reportedOnline ? 'online' : 'offline';
}

export function detected(data: ComputerEventData['PrinterDetected']): Printer {
  const { accountId: _account, computerId: _computer, computerName: _name, ...printer } = data;
  return { ...printer, alias: null, enabled: true, removed: false, status: 'offline' };
}

export function inStatus(
  printer: Printer,
  status: PrinterStatus,
  { reportedOnline }: { readonly reportedOnline: boolean },
): Printer {
  return { ...printer, status, removed: status === 'removed', reportedOnline };
}

export interface Computer extends Sessions, DeviceCredential {
  readonly status: ComputerStatus | 'absent';
  readonly computerId: string;
  readonly accountId: string;
  readonly installationId: string;
  readonly friendlyCode: string;
  readonly displayName?: string;
  readonly hostname?: string;
  /** Wins over all reported names. */
  readonly givenName?: string;
  readonly name: string;
  readonly renewed?: DeviceCredential;
  /** Newest position seen by the agent that the store has lost. */
  readonly lostSeen?: string;
  readonly unknownJobs: readonly string[];
  /** The agent of this credential names its session in every call. */
  readonly namesSession?: boolean;
  readonly health?: AgentHealth;
  readonly deferredUntil?: Instant;
  /** Added from the service, in the order of their names. */
  readonly addedPrinters: readonly AddedPrinter[];
  /** In the order of detection, including removed ones. */
  readonly printers: readonly Printer[];
}

export type KnownComputer = Computer & { readonly status: ComputerStatus };

export const noComputer: Computer = {
  status: 'absent',
  computerId: '',
  accountId: '',
  installationId: '',
  friendlyCode: '',
  name: '',
  credentialHash: '',
  credentialExpiresAt: '',
  replaced: [],
  unknownJobs: [],
  addedPrinters: [],
  printers: [],
};

export function isCurrentSession(computer: Computer, sessionId: string): boolean {
  return computer.sessionId === sessionId;
}

/** False for any other than the current session. */
export function hasFeature(computer: Computer, sessionId: string | undefined, feature: string): boolean {
  return computer.sessionId === sessionId && (computer.features ?? []).includes(feature);
}

/** Also true if the loss of a later position is recorded. */
export function knowsLossOf({ lostSeen }: Computer, seen: string): boolean {
  return lostSeen !== undefined && seen <= lostSeen;
}

export function unknownJobKey({ jobId, fence }: Pick<UnknownJob, 'jobId' | 'fence'>): string {
  return `${jobId} ${fence}`;
}

/** True without a known inventory, or once missing changes may be stored. */
export function wantsInventory({ printers, deferredUntil }: Computer, at: Instant): boolean {
  return printers.length === 0 || (deferredUntil !== undefined && deferredUntil <= at);
}

export function nameOf(
  computer: Pick<Computer, 'givenName' | 'displayName' | 'hostname' | 'friendlyCode'>,
): string {
  return computer.givenName || computer.displayName || computer.hostname || computer.friendlyCode;
}

type Moves = {
  readonly [T in keyof ComputerEventData]: (computer: Computer, data: ComputerEventData[T]) => Computer;
};

const moves: Moves = {
  ComputerRegistered: (_, data) => ({
    ...noComputer,
    status: 'pending',
    computerId: data.computerId,
    accountId: data.accountId,
    installationId: data.installationId,
    friendlyCode: data.friendlyCode,
    displayName: data.displayName,
    hostname: data.hostname,
    name: data.name,
    credentialHash: data.credentialHash,
    credentialExpiresAt: data.credentialExpiresAt,
  }),
  ComputerReenrolled: (computer, data) => ({
    ...computer,
    status: computer.status === 'disabled' ? 'disabled' : 'pending',
    displayName: data.displayName ?? computer.displayName,
    hostname: data.hostname ?? computer.hostname,
    name: data.name,
    credentialHash: data.credentialHash,
    credentialExpiresAt: data.credentialExpiresAt,
    namesSession: false,
    renewed: undefined,
    ...withoutSession(computer),
  }),
  DeviceCredentialRenewed: (computer, renewed) => ({ ...computer, renewed }),
  DeviceCredentialReplaced: (computer, credential) => ({ ...computer, ...credential, renewed: undefined }),
  AgentSessionStarted: (computer, { sessionId, startId, hostname, name, features, startedAt }) => ({
    ...computer,
    // Ends pending; only a separate event sets the computer online.
    status: computer.status === 'pending' ? 'offline' : computer.status,
    sessionId,
    startId,
    features,
    sessionStartedAt: startedAt,
    replaced: withEnded(computer, true),
    hostname,
    name,
  }),
  ReplacedSessionCalled: (computer, { sessionId }) => ({
    ...computer,
    replaced: withCaller(computer.replaced, sessionId),
  }),
  UnknownJobReported: (computer, job) => ({
    ...computer,
    unknownJobs: [...computer.unknownJobs, unknownJobKey(job)],
  }),
  SessionNamingNoted: (computer) => ({ ...computer, namesSession: true }),
  AgentHealthChanged: (computer, health) => ({ ...computer, health }),
  ComputerRenamed: (computer, { name, givenName }) => ({ ...computer, name, givenName }),
  ComputerCameOnline: (computer) => ({ ...computer, status: 'online' }),
  ComputerWentOffline: (computer) => ({ ...computer, status: 'offline' }),
  ComputerDisabled: (computer) => ({ ...computer, status: 'disabled' }),
  ComputerEnabled: (computer, { status }) => ({ ...computer, status }),
  ComputerRevoked: (computer) => ({ ...computer, status: 'revoked', ...withoutSession(computer) }),
  LostEventReported: (computer, { seen }) => ({ ...computer, lostSeen: seen }),
  PrinterDetected: (computer, data) => ({ ...computer, printers: [...computer.printers, detected(data)] }),
  PrinterCameOnline: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'online', data)),
  PrinterWentOffline: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'offline', data)),
  PrinterDisabled: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'disabled', data)),
  PrinterRemoved: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'removed', data)),
  PrinterUpdated: (computer, { printerId, changes, reportedAt }) =>
    withPrinter(computer, printerId, (printer) => ({
      ...printer,
      ...changes,
      ...(reportedAt && { reportedAt }),
    })),
  PrinterAdded: (computer, added) => ({
    ...computer,
    addedPrinters: withAdded(computer.addedPrinters, added),
  }),
  AddedPrinterRemoved: (computer, { name }) => ({
    ...computer,
    addedPrinters: withoutAdded(computer.addedPrinters, name),
  }),
  InventoryDeferred: (computer, { until }) => ({ ...computer, deferredUntil: until ?? undefined }),
};

export function evolve(computer: Computer, event: ComputerEvent): Computer {
  const move = moves[event.type] as (computer: Computer, data: object) => Computer;
  return move(computer, event.data);
}

/** The next session uses another credential, so it succeeds no earlier session. */
function withoutSession(computer: Computer): Sessions {
  const replaced = withEnded(computer, false);
  return { sessionId: undefined, startId: undefined, sessionStartedAt: undefined, replaced };
}

function withPrinter(computer: Computer, printerId: string, change: (printer: Printer) => Printer): Computer {
  const index = computer.printers.findIndex((printer) => printer.printerId === printerId);
  const printer = computer.printers[index];
  return printer ? { ...computer, printers: computer.printers.with(index, change(printer)) } : computer;
}

/** In the order of their names, so that equal lists have equal versions. */
function withAdded(printers: readonly AddedPrinter[], added: AddedPrinter): readonly AddedPrinter[] {
  return [...withoutAdded(printers, added.name), added].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function withoutAdded(printers: readonly AddedPrinter[], name: string): readonly AddedPrinter[] {
  return printers.filter((one) => one.name !== name);
}
