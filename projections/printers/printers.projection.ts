import type {
  ComputerEvent,
  ComputerEventData,
  PrinterCapabilities,
  PrinterChanges,
  PrinterStatus,
  TextSettings,
} from '../../src/contexts/devices/domain/computer.events.js';
import { typesOf, type Projection } from '../../src/kernel/projection.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { printersView, type CapabilitiesDocument, type PrinterDocument } from './printers.js';

const STATUS_AFTER = {
  PrinterCameOnline: 'online',
  PrinterWentOffline: 'offline',
  PrinterDisabled: 'disabled',
  PrinterRemoved: 'removed',
} as const satisfies Partial<Record<ComputerEvent['type'], PrinterStatus>>;

/** A new name of the computer changes all its printers. */
export const printersProjection: Projection<PrinterDocument, ComputerEvent> = {
  view: printersView,
  handles: [
    'PrinterDetected',
    'PrinterUpdated',
    ...typesOf(STATUS_AFTER),
    'ComputerReenrolled',
    'AgentSessionStarted',
    'ComputerRenamed',
  ],

  keysOf({ data }) {
    if ('printerId' in data) return [data.printerId];
    return 'renames' in data ? (data.renames ?? []) : [];
  },

  apply(document, event) {
    const { at } = event.metadata;
    if (event.type === 'PrinterDetected') return detected(event.data, at, event.revision);
    return (
      document && { ...document, ...changesBy(event, document), updated_at: at, sequence: event.revision }
    );
  },
};

function changesBy(event: Recorded<ComputerEvent>, before: PrinterDocument): Partial<PrinterDocument> {
  switch (event.type) {
    case 'PrinterUpdated':
      return updated(event.data.changes, before);
    case 'PrinterCameOnline':
    case 'PrinterWentOffline':
      return { ...inStatus(event), enabled: true };
    case 'PrinterDisabled':
    case 'PrinterRemoved':
      return inStatus(event);
    case 'ComputerReenrolled':
    case 'AgentSessionStarted':
    case 'ComputerRenamed':
      return { computer_name: event.data.name };
    default:
      return {};
  }
}

function inStatus({
  type,
  data,
}: {
  readonly type: keyof typeof STATUS_AFTER;
  readonly data: { readonly reportedOnline: boolean };
}): Pick<PrinterDocument, 'status' | 'raw_status'> {
  return { status: STATUS_AFTER[type], raw_status: rawStatus(data.reportedOnline) };
}

function detected(
  data: ComputerEventData['PrinterDetected'],
  at: Instant,
  sequence: number,
): PrinterDocument {
  return {
    printer_id: data.printerId,
    account_id: data.accountId,
    computer_id: data.computerId,
    computer_name: data.computerName,
    printer_code: data.printerCode,
    printer_key: data.printerKey,
    name: data.systemName,
    system_name: data.systemName,
    alias: null,
    driver: data.driver,
    port: data.port,
    is_default: data.isDefault,
    is_virtual: data.isVirtual,
    enabled: true,
    status: 'offline',
    raw_status: rawStatus(data.reportedOnline),
    capabilities: capabilitiesDocument(data.capabilities),
    created_at: at,
    updated_at: at,
    sequence,
  };
}

function updated(changes: PrinterChanges, before: PrinterDocument): Partial<PrinterDocument> {
  const { alias = before.alias, systemName = before.system_name } = changes;
  const { isDefault = before.is_default, isVirtual = before.is_virtual } = changes;
  const { driver = before.driver, port = before.port, enabled = before.enabled } = changes;
  const { reportedOnline, capabilities, paused } = changes;
  const { printerKey = before.printer_key } = changes;
  return {
    printer_key: printerKey,
    name: alias ?? systemName,
    system_name: systemName,
    alias,
    driver,
    port,
    is_default: isDefault,
    is_virtual: isVirtual,
    enabled,
    ...(paused !== undefined && { paused }),
    // Until the status event follows, a printer that is not enabled shows as disabled, unless removed.
    status: enabled || before.status === 'removed' ? before.status : 'disabled',
    raw_status: reportedOnline === undefined ? before.raw_status : rawStatus(reportedOnline),
    ...textFields(changes.text),
    capabilities: capabilities === undefined ? before.capabilities : capabilitiesDocument(capabilities),
  };
}

/** Undefined: unchanged. */
function textFields(text: TextSettings | null | undefined): Partial<PrinterDocument> {
  if (text === undefined) return {};
  const { encoding, line_ending, mode, cut_after } = text ?? {};
  return { text_encoding: encoding, line_ending, text_mode: mode, cut_after };
}

function rawStatus(reportedOnline: boolean): 'online' | 'offline' {
  return reportedOnline ? 'online' : 'offline';
}

function capabilitiesDocument(capabilities: PrinterCapabilities | null): CapabilitiesDocument | null {
  if (!capabilities) return null;
  const { contentTypes, color, duplex, papers, trays, resolutionsDpi, margins, options } = capabilities;
  return {
    content_types: contentTypes,
    color,
    duplex,
    papers,
    ...(trays && { trays }),
    ...(resolutionsDpi && { resolutions_dpi: resolutionsDpi }),
    ...(margins && { margins_mm: margins }),
    ...(options && { options }),
  };
}
