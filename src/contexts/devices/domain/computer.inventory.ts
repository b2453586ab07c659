import type { RejectionOf } from '../../../kernel/command.js';
import { accept, reject, type Decision } from '../../../kernel/decider.js';
import { epochMs, plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type {
  FreshPrinter,
  ReportedPrinter,
  SyncInventory,
  UpdatePrinter,
  AddPrinter,
  RemoveAddedPrinter,
} from './computer.commands.js';
import type {
  ComputerEvent,
  PrinterCapabilities,
  PrinterChanges,
  PrinterProperties,
} from './computer.events.js';
import { statusEvent } from './computer.presence.js';
import { detected, type KnownComputer, type Printer, type Computer } from './computer.state.js';
import { textAfter } from './text-settings.js';
import { sha256 } from '../../../kernel/ids.js';

/** Updates the properties of a printer at most once in this time, to bound the stream. */
export const INVENTORY_WINDOW_MS: Milliseconds = 60_000;

/** Of what one inventory changes. An append may hold 1 MiB, and 1,000 events have some 450 KB of ids and metadata. */
const MAX_BYTES = 400_000;

interface Change {
  /** Lower ranks are stored first: status, new printers, properties. */
  readonly rank: 0 | 1 | 2;
  readonly events: readonly ComputerEvent[] | undefined;
  /** Of a new printer, whose events may lack an identity. */
  readonly report?: ReportedPrinter;
  readonly isPartial?: boolean;
}

/** Stores changes up to the budget and to what fits; a recorded deferral makes the agent repeat the rest. */
export function syncInventory(
  computer: KnownComputer,
  command: SyncInventory,
): Decision<ComputerEvent, Exclude<RejectionOf<SyncInventory>, { code: 'ComputerRevoked' }>> {
  const { printers: reported, fresh, budget, at } = command;
  const keys = new Set(reported.map(({ printerKey }) => printerKey));
  if (keys.size < reported.length)
    return reject({ code: 'PrinterKeyRepeated', printerKey: repeated(reported) });
  const known = new Map(computer.printers.map((printer) => [printer.printerKey, printer]));
  const identities = new Map(fresh.map((identity) => [identity.printerKey, identity]));
  const renamed = renamedPrinters(computer.printers, reported);
  const found = reported.map((report): Change => {
    const printer = known.get(report.printerKey) ?? renamed.get(report.printerKey);
    if (printer) return refound(computer, printer, report, at);
    const identity = identities.get(report.printerKey);
    return { rank: 1, events: identity && newlyFound(computer, identity, report), report };
  });
  const kept = new Set([...renamed.values()].map(({ printerKey }) => printerKey));
  const gone = computer.printers.filter(({ printerKey }) => !keys.has(printerKey) && !kept.has(printerKey));
  const removed = gone.map((printer): Change => {
    return { rank: 0, events: statusEvent({ ...printer, removed: true }, computer.status) };
  });
  const changes = [...found, ...removed];
  const due = changes.filter(({ events }) => events?.length !== 0).sort((a, b) => a.rank - b.rank);
  const taken = new Set(fitting(due.slice(0, budget)));
  if ([...taken].some(({ events }) => !events)) {
    const added = [...taken].filter(({ rank }) => rank === 1);
    return reject({ code: 'PrinterIdsMissing', needed: added.length });
  }
  const isComplete = due.length === taken.size && !changes.some(({ isPartial }) => isPartial);
  const events = changes.flatMap((change) => (taken.has(change) ? (change.events ?? []) : []));
  return accept(...events, ...deferral(computer, isComplete, at));
}

/** As many as one append holds. */
function fitting(changes: readonly Change[]): readonly Change[] {
  let bytes = 0;
  const end = changes.findIndex(({ report, events }) => {
    bytes += Buffer.byteLength(JSON.stringify(report ?? events));
    return bytes > MAX_BYTES;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/**
 * Printers by their new keys: the only one that had this device is missing, and the device is reported once. Devices
 * that occur twice identify nothing (docs/decisions/095-recognising-printers.md).
 */
function renamedPrinters(
  known: readonly Printer[],
  reported: readonly ReportedPrinter[],
): ReadonlyMap<string, Printer> {
  const before = onlyOnes(known);
  const now = onlyOnes(reported);
  const keys = new Set(reported.map(({ printerKey }) => printerKey));
  const knownKeys = new Set(known.map(({ printerKey }) => printerKey));
  return new Map(
    [...now].flatMap(([deviceIdentity, { printerKey }]) => {
      const printer = before.get(deviceIdentity);
      const isRenamed = printer && !keys.has(printer.printerKey) && !knownKeys.has(printerKey);
      return isRenamed ? [[printerKey, printer] as const] : [];
    }),
  );
}

/** Printers by their device, without devices that occur twice. */
function onlyOnes<P extends PrinterProperties>(printers: readonly P[]): Map<string, P> {
  const byDevice = new Map<string, P>();
  const repeated = new Set<string>();
  for (const printer of printers) {
    const { deviceIdentity } = printer;
    if (!deviceIdentity) continue;
    if (byDevice.has(deviceIdentity)) repeated.add(deviceIdentity);
    byDevice.set(deviceIdentity, printer);
  }
  for (const deviceIdentity of repeated) byDevice.delete(deviceIdentity);
  return byDevice;
}

function deferral({ deferredUntil }: KnownComputer, isComplete: boolean, at: Instant): ComputerEvent[] {
  if (deferredUntil === undefined ? isComplete : at < deferredUntil) return [];
  const until = isComplete ? null : plus(at, INVENTORY_WINDOW_MS);
  return [{ type: 'InventoryDeferred', data: { until } }];
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

/**
 * The queue's state is in the status event, or in an event of its own if the status is unchanged. Neither waits for the
 * window, because it decides whether a job may print.
 */
function refound(computer: KnownComputer, printer: Printer, report: ReportedPrinter, at: Instant): Change {
  const { printerKey, online: reportedOnline } = report;
  const status = statusEvent({ ...printer, removed: false, reportedOnline }, computer.status);
  const isQueueOnly = status.length === 0 && reportedOnline !== printer.reportedOnline;
  const isRenamed = printerKey !== printer.printerKey;
  const properties = { ...(isRenamed && { printerKey }), ...propertyChanges(printer, report) };
  const queue = isQueueOnly ? { reportedOnline } : {};
  // A new key cannot wait, because jobs are leased by it.
  const waits = !isRenamed && wasUpdatedNear(printer, at);
  const isPartial = waits && Object.keys(properties).length > 0;
  const updates = updated(printer, waits ? queue : { ...properties, ...queue }, waits ? undefined : at);
  const rank = isRenamed ? 1 : 2;
  return {
    rank: isQueueOnly || status.length > 0 ? 0 : rank,
    events: [...updates, ...status],
    isPartial,
  };
}

/** Also true before the window: after a clock was set back, updates must not stop for long. */
function wasUpdatedNear({ reportedAt }: Printer, at: Instant): boolean {
  return reportedAt !== undefined && Math.abs(epochMs(at) - epochMs(reportedAt)) < INVENTORY_WINDOW_MS;
}

export function updatePrinter(
  computer: KnownComputer,
  { printerId, settings }: UpdatePrinter,
): Decision<ComputerEvent, RejectionOf<UpdatePrinter>> {
  const printer = computer.printers.find((one) => one.printerId === printerId);
  if (!printer) return reject({ code: 'PrinterNotFound' });
  const { enabled = printer.enabled, paused = printer.paused ?? false, displayName } = settings;
  const alias = displayName === undefined ? printer.alias : displayName || null;
  const before = printer.text ?? null;
  const text = settings.text ? textAfter(before, settings.text) : before;
  const changes: PrinterChanges = {
    ...(enabled !== printer.enabled && { enabled }),
    ...(alias !== printer.alias && { alias }),
    ...(text !== before && { text }),
    ...(paused !== (printer.paused ?? false) && { paused }),
  };
  const status = statusEvent({ ...printer, ...changes }, computer.status);
  // Online and offline imply enabled, so neither event shows a partial change.
  return changes.enabled
    ? accept(...status, ...updated(printer, changes))
    : accept(...updated(printer, changes), ...status);
}

/** @param reportedAt absent for a change that begins no window: by a person, or of the queue's state within one */
function updated({ printerId }: Printer, changes: PrinterChanges, reportedAt?: Instant): ComputerEvent[] {
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'PrinterUpdated', data: { printerId, changes, ...(reportedAt && { reportedAt }) } }];
}

function propertyChanges(printer: PrinterProperties, report: PrinterProperties): Partial<PrinterProperties> {
  const { systemName, driver, port, deviceIdentity, isDefault, isVirtual, capabilities } = report;
  return {
    ...(systemName !== printer.systemName && { systemName }),
    ...(driver !== printer.driver && { driver }),
    ...(port !== printer.port && { port }),
    ...(isDefault !== printer.isDefault && { isDefault }),
    ...(isVirtual !== printer.isVirtual && { isVirtual }),
    ...((deviceIdentity ?? null) !== (printer.deviceIdentity ?? null) && {
      deviceIdentity: deviceIdentity ?? null,
    }),
    ...(!sameCapabilities(capabilities, printer.capabilities) && { capabilities }),
  };
}

function propertiesOf(report: ReportedPrinter): PrinterProperties {
  const { systemName, driver, port, deviceIdentity, isDefault, isVirtual, capabilities } = report;
  return {
    systemName,
    driver,
    port,
    ...(deviceIdentity && { deviceIdentity }),
    isDefault,
    isVirtual,
    capabilities,
  };
}

function sameCapabilities(a: PrinterCapabilities | null, b: PrinterCapabilities | null): boolean {
  if (a === null || b === null) return a === b;
  return PROPERTIES.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

const PROPERTIES = [
  'contentTypes',
  'color',
  'duplex',
  'papers',
  'trays',
  'resolutionsDpi',
  'margins',
  'options',
] as const satisfies (keyof PrinterCapabilities)[];

function repeated(reported: readonly ReportedPrinter[]): string {
  const seen = new Set<string>();
  const again = reported.find(({ printerKey }) => seen.size === seen.add(printerKey).size);
  return again?.printerKey ?? '';
}

const MAX_ADDED_PRINTERS = 100;

export function addPrinter(
  { addedPrinters }: Computer,
  { printer: { name, address } }: AddPrinter,
): Decision<ComputerEvent, { readonly code: 'TooManyAddedPrinters' }> {
  const before = addedPrinters.find((one) => one.name === name);
  if (before?.address === address) return accept();
  if (!before && addedPrinters.length >= MAX_ADDED_PRINTERS) return reject({ code: 'TooManyAddedPrinters' });
  return accept({ type: 'PrinterAdded', data: { name, address } });
}

export function removeAddedPrinter(
  { addedPrinters }: Computer,
  { name }: RemoveAddedPrinter,
): Decision<ComputerEvent, { readonly code: 'PrinterNotFound' }> {
  if (!addedPrinters.some((one) => one.name === name)) return reject({ code: 'PrinterNotFound' });
  return accept({ type: 'AddedPrinterRemoved', data: { name } });
}

/** Tells an agent whether the list is the one that it keeps. */
export function versionOfAdded({ addedPrinters }: Computer): string {
  return sha256(JSON.stringify(addedPrinters.map(({ name, address }) => [name, address]))).slice(0, 16);
}
