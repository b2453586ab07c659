import type { PrinterDocument } from '../../../projections/printers/printers.js';
import {
  LINE_ENDINGS,
  PRINTER_STATUSES,
  type PrinterStatus,
  TEXT_ENCODINGS,
  TEXT_MODES,
  type TextSettings,
} from '../../contexts/devices/index.js';
import { CONTENT_TYPES, type ContentType } from '../../contexts/jobs/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import { Field, optional, present } from '../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  listOf,
  name,
  object,
  oneOf,
  text,
  uuid,
} from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';
import { dpi, millimetres } from './print-options.resource.js';

const names = (max: number) => listOf(text({ max: 120 }), { max });
const orNull = { optional: true, nullable: true } as const;
const code = { inEvents: { type: 'string', pattern: '^PR-[0-9A-F]{8}$' } } as const;
/** Heartbeats are no events, so a past value is unknown; null would mean "never". */
const seen = { ...orNull, inEvents: false } as const;

export const TextEncodings = oneOf(...TEXT_ENCODINGS);
export const LineEndings = oneOf(...LINE_ENDINGS);
export const TextModes = oneOf(...TEXT_MODES);
const unset = 'null = not set';

export class Margins {
  @Field(millimetres) top!: number;
  @Field(millimetres) right!: number;
  @Field(millimetres) bottom!: number;
  @Field(millimetres) left!: number;
}

/** As the Agent reported them; older Agents name no trays, resolutions, margins and options. */
export class PrinterCapabilities {
  @Field(listOf(oneOf(...CONTENT_TYPES), { max: 3 })) content_types!: readonly ContentType[];
  @Field(boolean(), { nullable: true }) color!: boolean | null;
  @Field(boolean(), { nullable: true }) duplex!: boolean | null;
  @Field(names(100), { description: 'PWG 5101.1 names; custom_min_… and custom_max_… are a range' })
  papers!: readonly string[];
  @Field(names(100), optional) trays?: readonly string[];
  @Field(listOf(dpi, { max: 50 }), optional) resolutions_dpi?: readonly number[];
  /** Parts of the sheet that it cannot print on. */
  @Field(object(() => Margins), optional) margins_mm?: Margins;
  @Field(listOf(text({ max: 40 }), { max: 20 }), {
    optional: true,
    description: 'Names of the options that it can apply',
  })
  options?: readonly string[];

  static readonly example: PrinterCapabilities = {
    content_types: ['pdf', 'raw', 'text'],
    color: false,
    duplex: false,
    papers: ['iso_a6_105x148mm', 'custom_min_25x25mm', 'custom_max_105x999mm'],
    trays: ['main'],
    resolutions_dpi: [203],
    margins_mm: { top: 0, right: 1.5, bottom: 0, left: 1.5 },
    options: ['paper', 'scale', 'orientation', 'rotate', 'pages'],
  };
}

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
  @Field(constant(true), { optional: true, description: 'Its jobs wait; new ones are taken' })
  paused?: true;
  @Field(TextEncodings, optional) text_encoding?: TextSettings['encoding'];
  @Field(LineEndings, optional) line_ending?: TextSettings['line_ending'];
  @Field(TextModes, optional) text_mode?: TextSettings['mode'];
  @Field(boolean(), optional) cut_after?: boolean;
  @Field(oneOf(...PRINTER_STATUSES)) status!: PrinterStatus;
  /** Of printers whose Agent says which options they can apply: older answers stay as they were. */
  @Field(object(() => PrinterCapabilities), optional) capabilities?: PrinterCapabilities;
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
    capabilities: PrinterCapabilities.example,
    last_seen_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  };
}

/** @param lastSeenAt of its computer */
export function printerResource(document: PrinterDocument, lastSeenAt: Instant | undefined): Printer {
  const { capabilities } = document;
  return present(Printer, document, {
    contract: 'svc_printer_v1',
    last_seen_at: lastSeenAt,
    paused: document.paused || undefined,
    capabilities: capabilities?.options && capabilities,
  });
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

/** For people of the account and operators. */
export class PrinterChangesBody extends UpdatePrinterBody {
  @Field(boolean(), { optional: true, description: 'true: its jobs wait until it is resumed' })
  paused?: boolean;
}

/** What is to change. @throws ApiError 400 if nothing is */
export function settingsFrom({ enabled, paused, display_name: displayName, ...body }: PrinterChangesBody) {
  const { text_encoding: encoding, line_ending, text_mode: mode, cut_after } = body;
  const text = { encoding, line_ending, mode, cut_after };
  if ([enabled, paused, displayName, ...Object.values(text)].every((value) => value === undefined)) {
    throw new ApiError('invalid', 'enabled or display_name must be given, or a setting for text.');
  }
  return { enabled, paused, displayName, text };
}
