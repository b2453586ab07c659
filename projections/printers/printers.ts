import type { PrinterStatus } from '../../src/contexts/devices/domain/computer.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface CapabilitiesDocument {
  readonly content_types: readonly ('pdf' | 'raw' | 'text')[];
  readonly color: boolean | null;
  readonly duplex: boolean | null;
  readonly papers: readonly string[];
}

/** A printer. Its `last_seen_at` is that of its computer. */
export interface PrinterDocument {
  readonly printer_id: string;
  readonly account_id: string;
  readonly computer_id: string;
  readonly computer_name: string;
  readonly printer_code: string;
  /** The agent's own stable name for the queue. */
  readonly printer_key: string;
  /** The alias, else the system name. */
  readonly name: string;
  readonly system_name: string;
  readonly alias: string | null;
  readonly driver: string | null;
  readonly port: string | null;
  readonly is_default: boolean;
  readonly is_virtual: boolean;
  readonly enabled: boolean;
  readonly status: PrinterStatus;
  /** The state last reported by the agent. */
  readonly raw_status: 'online' | 'offline';
  readonly capabilities: CapabilitiesDocument | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** Revision of the last folded event, in the stream of its computer. */
  readonly sequence: number;
}

/** Statuses that lists show by default. */
export const LISTED_STATUSES = ['online', 'offline', 'disabled'] as const satisfies PrinterStatus[];

export const printersView: ViewDefinition = {
  name: 'printers',
  version: 1,
  indexes: [
    { fields: ['account_id', 'enabled', 'status'] },
    { fields: ['account_id', 'computer_id', 'enabled', 'status'] },
    { fields: ['computer_id', 'status'] },
    { fields: ['account_id', 'printer_code'] },
  ],
  countBy: [
    ['account_id', 'enabled', 'status'],
    ['account_id', 'computer_id', 'enabled', 'status'],
  ],
};
