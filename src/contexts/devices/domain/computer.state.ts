import type { Instant } from '../../../kernel/time.js';
import type { ComputerEvent, ComputerEventData, ComputerStatus } from './computer.events.js';
import { detected, inStatus, type Printer } from './printer.state.js';

/** A computer and its printers. */
export interface Computer {
  readonly status: ComputerStatus | 'absent';
  readonly computerId: string;
  readonly accountId: string;
  readonly installationId: string;
  readonly friendlyCode: string;
  readonly displayName?: string;
  readonly hostname?: string;
  readonly name: string;
  readonly credentialHash: string;
  readonly credentialExpiresAt: Instant;
  /** The newest session; none until the first after an enrolment, and none after a revocation. */
  readonly sessionId?: string;
  /** In the order in which they were found, removed ones among them. */
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
  printers: [],
};

/** Whether calls of this session still count; a newer session replaces the older (agent-protocol). */
export function isCurrentSession(computer: Computer, sessionId: string): boolean {
  return computer.sessionId === sessionId;
}

/** The display name, else the hostname, else the friendly code (decisions 9). */
export function nameOf(computer: Pick<Computer, 'displayName' | 'hostname' | 'friendlyCode'>): string {
  return computer.displayName || computer.hostname || computer.friendlyCode;
}

type Moves = {
  readonly [T in keyof ComputerEventData]: (computer: Computer, data: ComputerEventData[T]) => Computer;
};

const moves: Moves = {
  ComputerRegistered: (_, data) => ({
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
    printers: [],
  }),
  ComputerReenrolled: (computer, data) => ({
    ...computer,
    status: computer.status === 'disabled' ? 'disabled' : 'pending',
    displayName: data.displayName ?? computer.displayName,
    hostname: data.hostname ?? computer.hostname,
    name: data.name,
    credentialHash: data.credentialHash,
    credentialExpiresAt: data.credentialExpiresAt,
    sessionId: undefined,
  }),
  AgentSessionStarted: (computer, { sessionId, hostname, name }) => ({
    ...computer,
    // Only an event of its own makes it online; pending ends here.
    status: computer.status === 'pending' ? 'offline' : computer.status,
    sessionId,
    hostname,
    name,
  }),
  ComputerCameOnline: (computer) => ({ ...computer, status: 'online' }),
  ComputerWentOffline: (computer) => ({ ...computer, status: 'offline' }),
  ComputerDisabled: (computer) => ({ ...computer, status: 'disabled' }),
  ComputerEnabled: (computer, { status }) => ({ ...computer, status }),
  ComputerRevoked: (computer) => ({ ...computer, status: 'revoked', sessionId: undefined }),
  PrinterDetected: (computer, data) => ({ ...computer, printers: [...computer.printers, detected(data)] }),
  PrinterCameOnline: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'online', data)),
  PrinterWentOffline: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'offline', data)),
  PrinterDisabled: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'disabled', data)),
  PrinterRemoved: (computer, data) =>
    withPrinter(computer, data.printerId, (printer) => inStatus(printer, 'removed', data)),
  PrinterUpdated: (computer, { printerId, changes }) =>
    withPrinter(computer, printerId, (printer) => ({ ...printer, ...changes })),
};

export function evolve(computer: Computer, event: ComputerEvent): Computer {
  const move = moves[event.type] as (computer: Computer, data: object) => Computer;
  return move(computer, event.data);
}

function withPrinter(computer: Computer, printerId: string, change: (printer: Printer) => Printer): Computer {
  const index = computer.printers.findIndex((printer) => printer.printerId === printerId);
  const printer = computer.printers[index];
  return printer ? { ...computer, printers: computer.printers.with(index, change(printer)) } : computer;
}
