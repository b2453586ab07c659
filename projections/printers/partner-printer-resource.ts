import type { PrinterStatus } from '../../src/contexts/devices/domain/computer.events.js';
import type { Instant } from '../../src/kernel/time.js';
import type { DeviceStatus } from '../computers/device-resource.js';
import type { CapabilitiesDocument, PrinterDocument } from './printers.js';

/** A printer as the Partner API shows it. */
export interface PartnerPrinterResource {
  readonly printer_id: string;
  readonly device_id: string;
  readonly system_name: string;
  readonly alias: string | null;
  readonly display_name: string;
  readonly enabled: boolean;
  readonly status: PrinterStatus;
  readonly raw_status: 'online' | 'offline';
  readonly device_status: DeviceStatus;
  readonly is_default: boolean;
  readonly last_seen_at: Instant | null;
  readonly capabilities: CapabilitiesDocument | null;
}

/** What the printer's computer adds to it. */
export interface DeviceOfPrinter {
  readonly status: DeviceStatus;
  readonly lastSeenAt: Instant | undefined;
}

export function partnerPrinterResource(
  document: PrinterDocument,
  device: DeviceOfPrinter,
): PartnerPrinterResource {
  return {
    printer_id: document.printer_id,
    device_id: document.computer_id,
    system_name: document.system_name,
    alias: document.alias,
    display_name: document.name,
    enabled: document.enabled,
    status: document.status,
    raw_status: document.raw_status,
    device_status: device.status,
    is_default: document.is_default,
    last_seen_at: device.lastSeenAt ?? null,
    capabilities: document.capabilities,
  };
}
