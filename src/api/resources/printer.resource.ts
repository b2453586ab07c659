import type { PrinterDocument } from '../../../projections/printers/printers.js';
import { PRINTER_STATUSES, type PrinterStatus } from '../../contexts/devices/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import { Field, optional } from '../../http/validation/field.js';
import { present } from '../../http/validation/present.js';
import { boolean, constant, dateTime, name, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

const orNull = { optional: true, nullable: true } as const;
const code = { inEvents: { type: 'string', pattern: '^PR-[0-9A-F]{8}$' } } as const;
/** Heartbeats are no events, so a past value is unknown; null would mean "never". */
const seen = { ...orNull, inEvents: false } as const;

/**
 * A printer as shown by the Integration API, operators and webhooks. It accepts jobs when status is online and
 * enabled is true.
 */
export class Printer {
  @Field(constant('svc_printer_v1')) contract!: 'svc_printer_v1';
  @Field(uuid(), { description: 'The identity to store; names and codes are for display' })
  printer_id!: string;
  @Field(text({ max: 40 }), code) printer_code!: string;
  @Field(uuid()) computer_id!: string;
  @Field(text({ max: 255 })) computer_name!: string;
  @Field(text({ max: 180 })) name!: string;
  @Field(text({ max: 255 }), orNull) driver?: string | null;
  @Field(text({ max: 255 }), orNull) port?: string | null;
  @Field(boolean()) is_default!: boolean;
  @Field(boolean()) is_virtual!: boolean;
  @Field(boolean()) enabled!: boolean;
  @Field(oneOf(...PRINTER_STATUSES)) status!: PrinterStatus;
  @Field(dateTime(), seen) last_seen_at?: Instant | null;
  @Field(dateTime()) updated_at!: Instant;

  static readonly example: Printer = {
    contract: 'svc_printer_v1',
    printer_id: '019aa000-0000-7000-8000-0000000000b1',
    printer_code: 'PR-1A2B3C4D',
    computer_id: '019aa000-0000-7000-8000-0000000000c1',
    computer_name: 'WAREHOUSE-1',
    name: 'Label printer',
    driver: 'ZDesigner ZD421',
    port: 'USB001',
    is_default: true,
    is_virtual: false,
    enabled: true,
    status: 'online',
    last_seen_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  };
}

/** @param lastSeenAt of its computer */
export function printerResource(document: PrinterDocument, lastSeenAt: Instant | undefined): Printer {
  return present(Printer, document, { contract: 'svc_printer_v1', last_seen_at: lastSeenAt });
}

export class UpdatePrinterBody {
  @Field(boolean(), optional) enabled?: boolean;
  @Field(name({ min: 0, max: 180 }), { optional: true, description: 'Empty = the detected name again' })
  display_name?: string;
}

/** What is to change. @throws ApiError 400 if nothing is */
export function settingsFrom({ enabled, display_name: displayName }: UpdatePrinterBody) {
  if (enabled === undefined && displayName === undefined) {
    throw new ApiError('invalid', 'enabled or display_name must be given.');
  }
  return { enabled, displayName };
}
