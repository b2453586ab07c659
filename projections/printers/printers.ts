import type {
  Margins,
  PrinterStatus,
  TextSettings,
} from '../../src/contexts/devices/domain/computer.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface CapabilitiesDocument {
  readonly content_types: readonly ('pdf' | 'raw' | 'text')[];
  readonly color: boolean | null;
  readonly duplex: boolean | null;
  readonly papers: readonly string[];
  readonly trays?: readonly string[];
  readonly resolutions_dpi?: readonly number[];
  readonly margins_mm?: Margins;
  /** Names of the options that the printer can apply. */
  readonly options?: readonly string[];
}

/** `last_seen_at` is that of its computer. */
export interface PrinterDocument {
  readonly printer_id: string;
  readonly account_id: string;
  readonly computer_id: string;
  readonly computer_name: string;
  readonly printer_code: string;
  /** Stable key from the agent. */
  readonly printer_key: string;
  readonly name: string;
  readonly system_name: string;
  readonly alias: string | null;
  /** Absent if not set, as the other settings for text. */
  readonly text_encoding?: TextSettings['encoding'];
  readonly line_ending?: TextSettings['line_ending'];
  readonly text_mode?: TextSettings['mode'];
  readonly cut_after?: boolean;
  readonly driver: string | null;
  readonly port: string | null;
  readonly is_default: boolean;
  readonly is_virtual: boolean;
  readonly enabled: boolean;
  /** Absent from documents of earlier releases. */
  readonly paused?: boolean;
  readonly status: PrinterStatus;
  readonly raw_status: 'online' | 'offline';
  readonly capabilities: CapabilitiesDocument | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** Revision in the stream of its computer. */
  readonly sequence: number;
}

export const LISTED_STATUSES = ['online', 'offline', 'disabled'] as const satisfies PrinterStatus[];

export const printersView: ViewDefinition<PrinterDocument> = {
  name: 'printers',
  version: 3,
  indexes: [
    { fields: ['account_id', 'enabled', 'status'] },
    { fields: ['account_id', 'computer_id', 'enabled', 'status'] },
    { fields: ['computer_id', 'status'] },
    { fields: ['account_id', 'printer_code'] },
    { fields: ['printer_code'] },
    { fields: ['name'] },
  ],
  countBy: [
    ['account_id', 'enabled', 'status'],
    ['account_id', 'computer_id', 'enabled', 'status'],
    ['status'],
  ],
};
