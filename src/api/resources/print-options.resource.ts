import {
  OPTION_NAMES,
  type OptionName,
  ORIENTATIONS,
  type PrintOptions,
  type Receipt,
  ROTATIONS,
  SCALES,
  SIDES,
  UNSUPPORTED,
} from '../../contexts/jobs/index.js';
import { Field, optional } from '../../http/validation/field.js';
import {
  boolean,
  decimal,
  integer,
  listOf,
  object,
  objects,
  oneOf,
  reportedText,
  type Rule,
  text,
} from '../../http/validation/rules.js';

const MAX_SHEET_MM = 5000;
export const millimetres = decimal(0, MAX_SHEET_MM);
export const dpi = integer(1, 10_000);

const PAPER: Rule = {
  schema: {
    description: 'A short name (A4, Letter, 4x6), a PWG name, a name that the printer lists, or a size',
    examples: ['A6', 'iso_a4_210x297mm', { width_mm: 100, height_mm: 150 }],
    oneOf: [
      { type: 'string', minLength: 1, maxLength: 120 },
      {
        type: 'object',
        required: ['width_mm', 'height_mm'],
        additionalProperties: false,
        properties: {
          width_mm: { type: 'number', minimum: 1, maximum: MAX_SHEET_MM },
          height_mm: { type: 'number', minimum: 1, maximum: MAX_SHEET_MM },
        },
      },
    ],
  },
  message: `must be a name of 1 to 120 characters, or width_mm and height_mm from 1 to ${MAX_SHEET_MM}`,
  accepts: (value) => text({ max: 120 }).accepts(value) || isSize(value),
};

function isSize(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { width_mm, height_mm } = value as Record<string, unknown>;
  return [width_mm, height_mm].every(decimal(1, MAX_SHEET_MM).accepts);
}

const ROTATION: Rule = {
  schema: { type: 'integer', enum: ROTATIONS },
  message: `must be one of ${ROTATIONS.join(', ')}`,
  accepts: (value) => (ROTATIONS as readonly unknown[]).includes(value),
};

const PAGE_RANGES = /^[1-9]\d{0,5}(-([1-9]\d{0,5})?)?(,[1-9]\d{0,5}(-([1-9]\d{0,5})?)?)*$/;
const PAGES: Rule = {
  schema: { ...text({ max: 200, pattern: PAGE_RANGES }).schema, examples: ['1-3,7,10-'] },
  message: 'must be ranges of pages in ascending order, from 1, as in 1-3,7,10-',
  accepts: (value) => typeof value === 'string' && value.length <= 200 && isAscending(value),
};

function isAscending(ranges: string): boolean {
  if (!PAGE_RANGES.test(ranges)) return false;
  let end = 0;
  return ranges.split(',').every((range) => {
    const [first, last = first] = range.split('-');
    const begins = Number(first) > end;
    end = last === '' ? Infinity : Number(last);
    return begins && Number(first) <= end;
  });
}

/** All options but the paper, which Agents get with its size. */
export class PageOptions {
  @Field(text({ max: 120 }), optional) tray?: string;
  @Field(oneOf(...SIDES), optional) duplex?: (typeof SIDES)[number];
  @Field(boolean(), optional) color?: boolean;
  @Field(oneOf(...SCALES), { optional: true, description: 'Absent: shrink' }) scale?: (typeof SCALES)[number];
  @Field(oneOf(...ORIENTATIONS), optional) orientation?: (typeof ORIENTATIONS)[number];
  @Field(ROTATION, { optional: true, description: 'Degrees clockwise' }) rotate?: (typeof ROTATIONS)[number];
  @Field(PAGES, optional) pages?: string;
  @Field(boolean(), { optional: true, description: 'Absent: true' }) collate?: boolean;
  @Field(dpi, optional) resolution_dpi?: number;
  @Field(oneOf(...UNSUPPORTED), {
    optional: true,
    description: 'What to do if an option cannot be applied. Absent: refuse',
  })
  unsupported?: (typeof UNSUPPORTED)[number];
}

export class JobOptions extends PageOptions implements PrintOptions {
  @Field(PAPER, { optional: true, inEvents: { type: ['string', 'object'] } }) paper?: PrintOptions['paper'];

  static readonly example: JobOptions = { paper: 'A6', scale: 'actual', duplex: 'one-sided' };
}

export class AppliedOptions {
  @Field(reportedText({ max: 120 }), optional) paper?: string;
  @Field(reportedText({ max: 120 }), optional) tray?: string;
  @Field(oneOf(...SIDES), optional) duplex?: (typeof SIDES)[number];
  @Field(boolean(), optional) color?: boolean;
  @Field(oneOf(...SCALES), optional) scale?: (typeof SCALES)[number];
  @Field(dpi, optional) resolution_dpi?: number;
  @Field(integer(0, 1_000_000), optional) page_count?: number;
  @Field(listOf(millimetres, { min: 2, max: 2 }), { optional: true, description: 'Width and height' })
  sheet_mm?: readonly number[];
  @Field(decimal(0, 100_000), {
    optional: true,
    description: 'Size on the sheet in percent of the size in the document',
  })
  drawn_percent?: number;
}

export class IgnoredOption {
  @Field(oneOf(...OPTION_NAMES, 'text'), { description: 'text: a letter that is printed in another form' })
  option!: OptionName | 'text';
  @Field(reportedText({ max: 240 })) reason!: string;
}

/** Options, 20 letters and the number of others. */
export const ignoredOptions = objects(() => IgnoredOption, 40);

/** What the printer did with the options, as driver or printer confirmed it. */
export class JobReceipt implements Receipt {
  @Field(object(() => AppliedOptions)) applied!: AppliedOptions;
  @Field(ignoredOptions) ignored!: readonly IgnoredOption[];

  static readonly example: JobReceipt = {
    applied: { paper: 'iso_a6_105x148mm', scale: 'actual', page_count: 1, sheet_mm: [105, 148] },
    ignored: [{ option: 'duplex', reason: 'The printer prints on one side only.' }],
  };
}
