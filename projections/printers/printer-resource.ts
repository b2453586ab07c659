import type { PrinterStatus } from '../../src/contexts/devices/domain/computer.events.js';
import type { Instant } from '../../src/kernel/time.js';
import type { PrinterDocument } from './printers.js';

/** A printer as the Integration API and webhooks show it (api-v1 2.4). */
export interface PrinterResource {
  readonly contract: 'svc_printer_v1';
  readonly printer_id: string;
  readonly printer_code: string;
  readonly computer_id: string;
  readonly computer_name: string;
  readonly name: string;
  readonly driver: string | null;
  readonly port: string | null;
  readonly is_default: boolean;
  readonly is_virtual: boolean;
  readonly enabled: boolean;
  readonly status: PrinterStatus;
  readonly last_seen_at: Instant | null;
  readonly updated_at: Instant;
}

/** @param lastSeenAt of its computer */
export function printerResource(document: PrinterDocument, lastSeenAt: Instant | undefined): PrinterResource {
  return {
    contract: 'svc_printer_v1',
    printer_id: document.printer_id,
    printer_code: document.printer_code,
    computer_id: document.computer_id,
    computer_name: document.computer_name,
    name: document.name,
    driver: document.driver,
    port: document.port,
    is_default: document.is_default,
    is_virtual: document.is_virtual,
    enabled: document.enabled,
    status: document.status,
    last_seen_at: lastSeenAt ?? null,
    updated_at: document.updated_at,
  };
}
