/**
 * Wishes of clients for the pages, and what printers made of them. The service carries both from one to the other, so
 * events keep them in the words of the contract (docs/decisions/091-print-options.md).
 */

/** The Agent feature without which a session gets no job with options. */
export const OPTIONS_FEATURE = 'options/1';

export const OPTION_NAMES = [
  'paper',
  'tray',
  'duplex',
  'color',
  'scale',
  'orientation',
  'rotate',
  'pages',
  'collate',
  'resolution_dpi',
] as const;
export const SIDES = ['one-sided', 'long-edge', 'short-edge'] as const;
export const SCALES = ['actual', 'fit', 'shrink'] as const;
export const ORIENTATIONS = ['portrait', 'landscape'] as const;
export const ROTATIONS = [0, 90, 180, 270] as const;
export const UNSUPPORTED = ['refuse', 'ignore'] as const;

export type OptionName = (typeof OPTION_NAMES)[number];
type Sides = (typeof SIDES)[number];
type Scale = (typeof SCALES)[number];

export interface SheetSize {
  readonly width_mm: number;
  readonly height_mm: number;
}

/** As the client gave them; an absent one leaves the setting of the queue, or the default of the option. */
export interface PrintOptions {
  /** A short name, a PWG name, one that the printer lists, or a size. */
  readonly paper?: string | SheetSize;
  readonly tray?: string;
  readonly duplex?: Sides;
  readonly color?: boolean;
  readonly scale?: Scale;
  readonly orientation?: (typeof ORIENTATIONS)[number];
  /** Degrees clockwise. */
  readonly rotate?: (typeof ROTATIONS)[number];
  /** `1-3,7,10-`: ascending, from 1. */
  readonly pages?: string;
  readonly collate?: boolean;
  readonly resolution_dpi?: number;
  /** Default `refuse`. */
  readonly unsupported?: (typeof UNSUPPORTED)[number];
}

/** An option that a printer cannot apply as asked; nothing allowed = not at all. */
export interface UnsupportedOption {
  readonly option: OptionName;
  readonly allowed: readonly (string | number | boolean)[];
}

/** As driver or printer confirmed them; absent = not known. */
export interface AppliedOptions {
  readonly paper?: string;
  readonly tray?: string;
  readonly duplex?: Sides;
  readonly color?: boolean;
  readonly scale?: Scale;
  readonly resolution_dpi?: number;
  readonly page_count?: number;
  /** Width and height. */
  readonly sheet_mm?: readonly number[];
  /** Size on the sheet in percent of the size in the document. */
  readonly drawn_percent?: number;
}

export interface Receipt {
  readonly applied: AppliedOptions;
  /** At most 40; `text`: a letter of a text document that is printed in another form. */
  readonly ignored: readonly { readonly option: OptionName | 'text'; readonly reason: string }[];
}

/** PWG 5101.1 names by the names that people use, in lower case. */
const PWG_NAMES: Readonly<Record<string, string>> = {
  a2: 'iso_a2_420x594mm',
  a3: 'iso_a3_297x420mm',
  a4: 'iso_a4_210x297mm',
  a5: 'iso_a5_148x210mm',
  a6: 'iso_a6_105x148mm',
  a7: 'iso_a7_74x105mm',
  a8: 'iso_a8_52x74mm',
  b4: 'iso_b4_250x353mm',
  b5: 'iso_b5_176x250mm',
  b6: 'iso_b6_125x176mm',
  c5: 'iso_c5_162x229mm',
  c6: 'iso_c6_114x162mm',
  dl: 'iso_dl_110x220mm',
  letter: 'na_letter_8.5x11in',
  legal: 'na_legal_8.5x14in',
  tabloid: 'na_ledger_11x17in',
  ledger: 'na_ledger_11x17in',
  executive: 'na_executive_7.25x10.5in',
  statement: 'na_invoice_5.5x8.5in',
  '3x5': 'na_index-3x5_3x5in',
  '4x6': 'na_index-4x6_4x6in',
  '5x7': 'na_5x7_5x7in',
  '5x8': 'na_index-5x8_5x8in',
  '8x10': 'na_govt-letter_8x10in',
};

/** Self-describing names end with the size of the sheet. */
const SIZED = /_(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)(mm|in)$/;
const MM = { mm: 1, in: 25.4 } as const;

/** The size is missing from names of a printer's own that tell none. */
export interface Paper extends Partial<SheetSize> {
  readonly name?: string;
}

/** A short name becomes a PWG name; sizes are in mm, to 0.01. */
export function resolvePaper(paper: NonNullable<PrintOptions['paper']>): Paper {
  if (typeof paper !== 'string') return paper;
  const short = paper.toLowerCase();
  const name = Object.hasOwn(PWG_NAMES, short) ? PWG_NAMES[short]! : paper;
  return { name, ...sizeIn(name) };
}

function sizeIn(name: string): SheetSize | undefined {
  const [, width, height, unit] = SIZED.exec(name) ?? [];
  if (unit === undefined) return undefined;
  const mm = (length: string | undefined) => Math.round(Number(length) * MM[unit as 'mm' | 'in'] * 100) / 100;
  return { width_mm: mm(width), height_mm: mm(height) };
}
