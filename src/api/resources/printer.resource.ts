import type { PrinterDocument } from '../../../projections/printers/printers.js';
import {
  LINE_ENDINGS,
  PRINTER_STATUSES,
  type PrinterStatus,
  TEXT_ENCODINGS,
  TEXT_MODES,
  type TextSettings,
} from '../../contexts/devices/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import { Field, optional } from '../../http/validation/field.js';
import { present } from '../../http/validation/present.js';
import { boolean, constant, dateTime, name, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

const orNull = { optional: true, nullable: true } as const;
const code = { inEvents: { type: 'string', pattern: '^PR-[0-9A-F]{8}$' } } as const;
/** Heartbeats are no events, so a past value is unknown; null would mean "never". */
const seen = { ...orNull, inEvents: false } as const;

export const TextEncodings = oneOf(...TEXT_ENCODINGS);
export const LineEndings = oneOf(...LINE_ENDINGS);
export const TextModes = oneOf(...TEXT_MODES);
const unset = 'null = not set';

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
  @Field(TextEncodings, optional) text_encoding?: TextSettings['encoding'];
  @Field(LineEndings, optional) line_ending?: TextSettings['line_ending'];
  @Field(TextModes, optional) text_mode?: TextSettings['mode'];
  @Field(boolean(), optional) cut_after?: boolean;
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
  @Field(TextEncodings, { ...orNull, description: `What the Agent encodes text in; ${unset}` })
  text_encoding?: TextSettings['encoding'] | null;
  @Field(LineEndings, { ...orNull, description: `How lines of text end; ${unset}` })
  line_ending?: TextSettings['line_ending'] | null;
  @Field(TextModes, {
    ...orNull,
    description: `raw: its bytes reach the printer; pages: it is drawn; ${unset}`,
  })
  text_mode?: TextSettings['mode'] | null;
  @Field(boolean(), {
    ...orNull,
    description: `The printer knows ESC/POS; true: cut after each copy; ${unset}`,
  })
  cut_after?: boolean | null;
}

/** What is to change. @throws ApiError 400 if nothing is */
export function settingsFrom({ enabled, display_name: displayName, ...body }: UpdatePrinterBody) {
  const { text_encoding: encoding, line_ending, text_mode: mode, cut_after } = body;
  const text = { encoding, line_ending, mode, cut_after };
  if ([enabled, displayName, ...Object.values(text)].every((value) => value === undefined)) {
    throw new ApiError('invalid', 'enabled or display_name must be given, or a setting for text.');
  }
  return { enabled, displayName, text };
}
