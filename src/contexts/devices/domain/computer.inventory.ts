import type { RejectionOf } from '../../../kernel/command.js';
import { accept, reject, type Decision } from '../../../kernel/decider.js';
import type { FreshPrinter, ReportedPrinter, SyncInventory, UpdatePrinter } from './computer.commands.js';
import type {
  ComputerEvent,
  PrinterCapabilities,
  PrinterChanges,
  PrinterProperties,
} from './computer.events.js';
import { statusEvent } from './computer.presence.js';
import { detected, type KnownComputer, type Printer } from './computer.state.js';

export function syncInventory(
  computer: KnownComputer,
  command: SyncInventory,
): Decision<ComputerEvent, Exclude<RejectionOf<SyncInventory>, { code: 'ComputerRevoked' }>> {
  const { printers: reported, fresh } = command;
  const keys = new Set(reported.map(({ printerKey }) => printerKey));
  if (keys.size < reported.length)
    return reject({ code: 'PrinterKeyRepeated', printerKey: repeated(reported) });
  const known = new Map(computer.printers.map((printer) => [printer.printerKey, printer]));
  const identities = new Map(fresh.map((identity) => [identity.printerKey, identity]));
  const added = reported.filter(({ printerKey }) => !known.has(printerKey));
  if (added.some(({ printerKey }) => !identities.has(printerKey)))
    return reject({ code: 'PrinterIdsMissing', needed: added.length });
  const found = reported.flatMap((report) => {
    const printer = known.get(report.printerKey);
    if (printer) return refound(computer, printer, report);
    const identity = identities.get(report.printerKey);
    return identity ? newlyFound(computer, identity, report) : [];
  });
  const gone = computer.printers.filter((printer) => !keys.has(printer.printerKey));
  const removed = gone.flatMap((printer) => statusEvent({ ...printer, removed: true }, computer.status));
  return accept(...found, ...removed);
}

function newlyFound(
  computer: KnownComputer,
  identity: FreshPrinter,
  report: ReportedPrinter,
): ComputerEvent[] {
  const { computerId, accountId, name: computerName } = computer;
  const { printerId, printerCode } = identity;
  const data = {
    printerId,
    printerCode,
    printerKey: report.printerKey,
    accountId,
    computerId,
    computerName,
    ...propertiesOf(report),
    reportedOnline: report.online,
  };
  return [{ type: 'PrinterDetected', data }, ...statusEvent(detected(data), computer.status)];
}

/** The state of the queue is part of the status event, or an event of its own if the status is unchanged. */
function refound(computer: KnownComputer, printer: Printer, report: ReportedPrinter): ComputerEvent[] {
  const status = statusEvent({ ...printer, removed: false, reportedOnline: report.online }, computer.status);
  const unheard = status.length === 0 && report.online !== printer.reportedOnline;
  const changes: PrinterChanges = {
    ...propertyChanges(printer, report),
    ...(unheard && { reportedOnline: report.online }),
  };
  return [...updated(printer, changes), ...status];
}

export function updatePrinter(
  computer: KnownComputer,
  { printerId, settings }: UpdatePrinter,
): Decision<ComputerEvent, RejectionOf<UpdatePrinter>> {
  const printer = computer.printers.find((one) => one.printerId === printerId);
  if (!printer) return reject({ code: 'PrinterNotFound' });
  const { enabled = printer.enabled, displayName } = settings;
  const alias = displayName === undefined ? printer.alias : displayName || null;
  const changes: PrinterChanges = {
    ...(enabled !== printer.enabled && { enabled }),
    ...(alias !== printer.alias && { alias }),
  };
  const status = statusEvent({ ...printer, ...changes }, computer.status);
  // Online and offline imply enabled, and not enabled implies disabled, so neither event shows a partial
  // change.
  return changes.enabled
    ? accept(...status, ...updated(printer, changes))
    : accept(...updated(printer, changes), ...status);
}

function updated({ printerId }: Printer, changes: PrinterChanges): ComputerEvent[] {
  return Object.keys(changes).length === 0 ? [] : [{ type: 'PrinterUpdated', data: { printerId, changes } }];
}

function propertyChanges(printer: PrinterProperties, report: PrinterProperties): Partial<PrinterProperties> {
  const { systemName, driver, port, isDefault, isVirtual, capabilities } = report;
  return {
    ...(systemName !== printer.systemName && { systemName }),
    ...(driver !== printer.driver && { driver }),
    ...(port !== printer.port && { port }),
    ...(isDefault !== printer.isDefault && { isDefault }),
    ...(isVirtual !== printer.isVirtual && { isVirtual }),
    ...(!sameCapabilities(capabilities, printer.capabilities) && { capabilities }),
  };
}

function propertiesOf(report: ReportedPrinter): PrinterProperties {
  const { systemName, driver, port, isDefault, isVirtual, capabilities } = report;
  return { systemName, driver, port, isDefault, isVirtual, capabilities };
}

function sameCapabilities(a: PrinterCapabilities | null, b: PrinterCapabilities | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.color === b.color &&
    a.duplex === b.duplex &&
    sameWords(a.contentTypes, b.contentTypes) &&
    sameWords(a.papers, b.papers)
  );
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}

function repeated(reported: readonly ReportedPrinter[]): string {
  const seen = new Set<string>();
  const again = reported.find(({ printerKey }) => seen.size === seen.add(printerKey).size);
  return again?.printerKey ?? '';
}
