/** A part of a plane, from its upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A sheet of paper in a printer, in the printer's own dots. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly dpiX: number;
  readonly dpiY: number;
  /** The part that the printer can print on. */
  readonly printable: Box;
  /** False for a printer of one colour. */
  readonly color: boolean;
}

/** In points (1/72 inch). */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * `actual`: at its own size, from the corner of the sheet. `fit`: as large as the printable area. `shrink`: at its own
 * size, unless the page is larger than the sheet.
 */
export type Scaling = 'actual' | 'fit' | 'shrink';

/** How the picture of a page is made, beside its size. */
export interface Layout {
  /** Of the sheet as it is read: the page is upright on it. Without it, a page across the sheet is turned. */
  readonly orientation?: 'portrait' | 'landscape';
  /** Degrees clockwise. Without `orientation`, the page is turned by this alone. */
  readonly rotate?: 0 | 90 | 180 | 270;
  /** In shades of grey, also on a printer with colours. */
  readonly inGray?: boolean;
}

/** A page on a sheet: a picture of its part that can be printed. */
export interface Placement {
  /** Clockwise quarters by which the page is turned on the sheet. */
  readonly turns: number;
  /** 1 for a page at its own size. */
  readonly scale: number;
  /** Each pixel of the picture covers `stepX` by `stepY` dots. */
  readonly stepX: number;
  readonly stepY: number;
  /** Upper left corner of the picture, in dots from that of the printable area. */
  readonly x: number;
  readonly y: number;
  /** Size of the picture in pixels. */
  readonly columns: number;
  readonly rows: number;
  /** The whole page in the pixels of the picture, which it may exceed. */
  readonly page: Box;
  readonly color: boolean;
  /** Without colours: shades of grey; otherwise black and white. */
  readonly shades: boolean;
  /** With gray edges, for a screen. */
  readonly smooth?: boolean;
}

/** Rows `top` to `top + rows` of the picture of a page. */
export interface Band {
  readonly top: number;
  readonly rows: number;
}

/** Finer pictures cost time and spool space and look the same on paper. */
const MAX_DPI = 600;
/** Memory of one band: a page is drawn in as many as this takes. */
const MAX_BAND_BYTES = 16 * 1024 * 1024;
export const POINTS_PER_INCH = 72;
/** Sizes of pages are rounded: PostScript takes sheets that differ by so much as equal (its reference, 6.2.1). */
const SAME_SIZE = 5;
/** Of computing with fractions. */
const ROUNDING = 1e-6;

/** Places a page on a sheet (docs/decisions/088-pages-at-their-own-size.md). */
export function placementOf(
  page: PageSize,
  sheet: Sheet,
  scaling: Scaling = 'shrink',
  layout: Layout = {},
): Placement {
  const turns = turnsOf(page, sheet, layout);
  const [across, along] = turns % 2 === 1 ? [page.height, page.width] : [page.width, page.height];
  const { printable } = sheet;
  const horizontal = { page: across, dpi: sheet.dpiX, sheet: sheet.width };
  const vertical = { page: along, dpi: sheet.dpiY, sheet: sheet.height };
  const [left, width, top, height] = [printable.left, printable.width, printable.top, printable.height];
  const fitting = Math.min(
    ((width / sheet.dpiX) * POINTS_PER_INCH) / across,
    ((height / sheet.dpiY) * POINTS_PER_INCH) / along,
  );
  const isKept = scaling === 'actual' || (scaling === 'shrink' && fits(horizontal) && fits(vertical));
  const scale = isKept ? 1 : fitting;
  const x = sideOf({ ...horizontal, from: left, length: width }, scale, scaling === 'actual');
  const y = sideOf({ ...vertical, from: top, length: height }, scale, scaling === 'actual');
  return {
    ...{ turns, scale, stepX: x.step, stepY: y.step, x: x.at, y: y.at, columns: x.pixels, rows: y.pixels },
    page: { left: x.page, top: y.page, width: x.pagePixels, height: y.pagePixels },
    color: sheet.color && !layout.inGray,
    shades: sheet.color,
  };
}

/** The sheet as a text on it is read. */
export function sheetAsRead(sheet: Sheet, layout: Layout): Sheet {
  if (turnsOf(sheet, sheet, layout) % 2 === 0) return sheet;
  const { left, top, width, height } = sheet.printable;
  return {
    ...{ width: sheet.height, height: sheet.width, dpiX: sheet.dpiY, dpiY: sheet.dpiX, color: sheet.color },
    printable: { left: top, top: left, width: height, height: width },
  };
}

function turnsOf(page: PageSize, sheet: Sheet, { orientation, rotate = 0 }: Layout): number {
  const quarters = rotate / 90;
  if (orientation !== undefined) {
    const isAcross = (orientation === 'landscape') !== sheet.width > sheet.height;
    return (quarters + (isAcross ? 1 : 0)) % 4;
  }
  if (rotate !== 0) return quarters;
  return (page.width - page.height) * (sheet.width - sheet.height) < 0 ? 1 : 0;
}

/** One direction of a sheet and its page. */
interface Direction {
  /** In points. */
  readonly page: number;
  readonly dpi: number;
  /** In dots, as the printable part `from`, `length`. */
  readonly sheet: number;
}

function fits({ page, dpi, sheet }: Direction): boolean {
  return page <= (sheet / dpi) * POINTS_PER_INCH + SAME_SIZE;
}

/**
 * Whole pixels, never more than the page has: PDFium draws a bar of 2.0001 dots with three.
 * A page of the size of its sheet begins at the corner. A smaller one is centred, and moved off the margins if it can be.
 */
function sideOf(
  { page, dpi, sheet, from, length }: Direction & { from: number; length: number },
  scale: number,
  atCorner: boolean,
) {
  const step = Math.ceil(dpi / MAX_DPI);
  const most = scale === 1 ? Infinity : Math.floor(length / step);
  const pagePixels = Math.max(
    1,
    Math.min(Math.floor(((page / POINTS_PER_INCH) * dpi * scale) / step + ROUNDING), most),
  );
  const dots = pagePixels * step;
  const fillsSheet = atCorner || Math.abs(sheet - dots) <= (SAME_SIZE / POINTS_PER_INCH) * dpi;
  const wanted = (fillsSheet ? 0 : Math.round((sheet - dots) / 2)) - from;
  const start = atCorner || dots > length ? wanted : Math.min(Math.max(wanted, 0), length - dots);
  const hidden = Math.max(0, Math.round(-start / step));
  const at = Math.max(0, start);
  const pixels = Math.max(0, Math.min(pagePixels - hidden, Math.ceil((length - at) / step)));
  return { step, at, pixels, page: 0 - hidden, pagePixels };
}

/** Bytes of one row of pixels as PDFium draws them: 24 bits each in colour, else 8, filled up to four bytes. */
export function strideOf({ columns, color }: Placement): number {
  return Math.ceil((columns * (color ? 3 : 1)) / 4) * 4;
}

/** Cuts a picture into bands from top to bottom. */
export function* bandsOf(placement: Placement): Iterable<Band> {
  const height = Math.max(1, Math.floor(MAX_BAND_BYTES / strideOf(placement)));
  for (let top = 0; top < placement.rows; top += height) {
    yield { top, rows: Math.min(height, placement.rows - top) };
  }
}
