import type { PrintOptions, SheetSize } from './print-options.js';

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
