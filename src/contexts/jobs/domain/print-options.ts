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
