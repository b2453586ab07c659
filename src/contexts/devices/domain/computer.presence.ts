import type {
  EnrollComputer,
  NoteReplacedSession,
  RenameComputer,
  ReportLostEvent,
  ReportUnknownJobs,
  StartAgentSession,
  ReportAgentHealth,
} from './computer.commands.js';
import type { ComputerEvent, AgentHealth } from './computer.events.js';
import {
  effectiveStatus,
  evolve,
  knowsLossOf,
  nameOf,
  unknownJobKey,
  type Computer,
  type KnownComputer,
  type Printer,
} from './computer.state.js';

/** Adds a status event for every printer whose effective status changes. */
function withPrinters(computer: Computer, ...events: readonly ComputerEvent[]): ComputerEvent[] {
  const next = events.reduce(evolve, computer);
  return [...events, ...next.printers.flatMap((printer) => statusEvent(printer, next.status))];
}

export function statusEvent(printer: Printer, computer: Computer['status']): ComputerEvent[] {
  const status = effectiveStatus(printer, computer);
  if (status === printer.status) return [];
  const { printerId, status: previousStatus, reportedOnline } = printer;
  return [{ type: STATUS_EVENTS[status], data: { printerId, previousStatus, reportedOnline } }];
}

const STATUS_EVENTS = {
  online: 'PrinterCameOnline',
  offline: 'PrinterWentOffline',
  disabled: 'PrinterDisabled',
  removed: 'PrinterRemoved',
} as const;

const cameOnline: ComputerEvent = { type: 'ComputerCameOnline', data: {} };
const wentOffline: ComputerEvent = { type: 'ComputerWentOffline', data: {} };

export function enroll(computer: Computer, command: EnrollComputer): ComputerEvent[] {
  const { computerId, enrolling, credential } = command;
  const { accountId, installationId, friendlyCode, description } = enrolling;
  if (computer.status === 'absent') {
    const name = nameOf({ friendlyCode, ...description });
    const identity = { computerId, accountId, installationId, friendlyCode };
    return [{ type: 'ComputerRegistered', data: { ...identity, ...description, name, ...credential } }];
  }
  if (computer.credentialHash === credential.credentialHash) return [];
  const { displayName = computer.displayName, hostname = computer.hostname } = description;
  const named = naming(computer, nameOf({ ...computer, displayName, hostname }));
  return withPrinters(computer, {
    type: 'ComputerReenrolled',
    data: { ...description, ...named, ...credential },
  });
}

export function startSession(computer: KnownComputer, { session, at }: StartAgentSession): ComputerEvent[] {
  const { sessionId, startId, agentVersion, installerVersion, operatingSystem, hostname, features } = session;
  const repeated = startId !== undefined && computer.startId === startId;
  if (repeated || computer.sessionId === sessionId) return [];
  const started: ComputerEvent = {
    type: 'AgentSessionStarted',
    data: {
      sessionId,
      startId,
      agentVersion,
      ...(installerVersion !== undefined && { installerVersion }),
      operatingSystem,
      hostname,
      ...(features?.length && { features }),
      startedAt: at,
      ...naming(computer, nameOf({ ...computer, hostname })),
    },
  };
  const comesOnline = computer.status === 'pending' || computer.status === 'offline';
  return comesOnline ? withPrinters(computer, started, cameOnline) : [started];
}

/** Calls change neither a pending computer, which needs a session, nor a disabled one. */
export function see(computer: KnownComputer): ComputerEvent[] {
  return computer.status === 'offline' ? withPrinters(computer, cameOnline) : [];
}

export function markOffline(computer: KnownComputer): ComputerEvent[] {
  return computer.status === 'online' ? withPrinters(computer, wentOffline) : [];
}

export function disable(computer: KnownComputer): ComputerEvent[] {
  return computer.status === 'disabled' ? [] : withPrinters(computer, { type: 'ComputerDisabled', data: {} });
}

/** Without a session since its enrolment, the computer becomes pending. */
export function enable(computer: KnownComputer, present: boolean): ComputerEvent[] {
  if (computer.status !== 'disabled') return [];
  if (computer.sessionId === undefined) {
    return withPrinters(computer, { type: 'ComputerEnabled', data: { status: 'pending' } });
  }
  const enabled: ComputerEvent = { type: 'ComputerEnabled', data: { status: 'offline' } };
  return withPrinters(computer, enabled, present ? cameOnline : wentOffline);
}

export function revoke(computer: KnownComputer, reason: string): ComputerEvent[] {
  return computer.status === 'revoked'
    ? []
    : withPrinters(computer, { type: 'ComputerRevoked', data: { reason } });
}

export function rename(computer: KnownComputer, { displayName: givenName }: RenameComputer): ComputerEvent[] {
  if (givenName === (computer.givenName ?? '')) return [];
  const named = naming(computer, nameOf({ ...computer, givenName }));
  return [{ type: 'ComputerRenamed', data: { ...named, givenName } }];
}

export function reportLostEvent(
  computer: KnownComputer,
  { seen, jobsParked }: ReportLostEvent,
): ComputerEvent[] {
  return knowsLossOf(computer, seen) ? [] : [{ type: 'LostEventReported', data: { seen, jobsParked } }];
}

/** Lists the printers, because their views show the computer's name. */
function naming(computer: Computer, name: string): { name: string; renames?: readonly string[] } {
  if (name === computer.name || computer.printers.length === 0) return { name };
  return { name, renames: computer.printers.map((printer) => printer.printerId) };
}

const UNKNOWN_JOBS_KEPT = 100;

export function noteReplaced(computer: KnownComputer, { sessionId }: NoteReplacedSession): ComputerEvent[] {
  const silent = computer.replaced.some((one) => one.sessionId === sessionId && one.silent);
  return silent ? [{ type: 'ReplacedSessionCalled', data: { sessionId } }] : [];
}

/** Keeps the first 100 of a computer. */
export function reportUnknown(computer: KnownComputer, { jobs }: ReportUnknownJobs): ComputerEvent[] {
  const fresh = new Map(jobs.map((job) => [unknownJobKey(job), job]));
  for (const key of computer.unknownJobs) fresh.delete(key);
  const room = Math.max(0, UNKNOWN_JOBS_KEPT - computer.unknownJobs.length);
  return [...fresh.values()].slice(0, room).map((data) => ({ type: 'UnknownJobReported', data }));
}

export const BEHIND_AFTER_SECONDS = 120;

/** Ignores changes of figures, message or time alone: heartbeats must not grow the stream. */
export function changesHealth({ health }: Pick<Computer, 'health'>, reported: AgentHealth): boolean {
  return (
    health === undefined ||
    health.lowSpace !== reported.lowSpace ||
    health.behind !== reported.behind ||
    health.lastError?.code !== reported.lastError?.code ||
    stuckKeys(health) !== stuckKeys(reported)
  );
}

function stuckKeys({ stuckPrinters = [] }: AgentHealth): string {
  return JSON.stringify(stuckPrinters.map(({ printerKey }) => printerKey).sort());
}

export function reportHealth(computer: Computer, { health }: ReportAgentHealth): ComputerEvent[] {
  return changesHealth(computer, health) ? [{ type: 'AgentHealthChanged', data: health }] : [];
}
