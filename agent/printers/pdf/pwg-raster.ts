import { PdfDocument } from './pdf-renderer.js';
import type { Band, PageSize, Placement } from './page-layout.js';
import type { Strip } from './page-strips.js';
import { SystemFonts } from '../fonts/system-fonts.js';

export const RASTER_TYPES = ['srgb_8', 'sgray_8', 'black_1'] as const;
export type RasterType = (typeof RASTER_TYPES)[number];

export interface RasterSettings {
  readonly dpi: number;
  readonly type: RasterType;
  /** PWG name of the sheet. */
  readonly sheetName: string;
  readonly isDuplex: boolean;
  /** The back is bound at the short edge. */
  readonly isTumble: boolean;
  /** How the printer wants backs: a value of `pwg-raster-document-sheet-back`. */
  readonly sheetBack: string;
}

const HEADER = 1796;
/** cupsColorSpace, bits of a pixel. */
const FORMATS = { srgb_8: [19, 24], sgray_8: [18, 8], black_1: [3, 1] } as const;
const POINTS_PER_INCH = 72;
/** Bytes of the band of a page that is drawn at once. */
const BAND_BYTES = 8 * 1024 * 1024;
const ROUNDING = 1e-6;
/** Shows whether a page can be drawn, for a hundredth of its pixels at most. */
const CHECK_DPI = 36;
/** A long document begins to print after this much of the check. */
const CHECK_MS = 60_000;

/**
 * Draws a PDF, whose pages have the size of the sheet, as PWG raster (PWG 5102.4).
 * @throws NotSubmitted as `PdfDocument`
 */
export async function* pwgRaster(
  bytes: Uint8Array,
  settings: RasterSettings,
  fontFolders: readonly string[] = [],
): AsyncGenerator<Buffer> {
  const document = await PdfDocument.open(bytes, new SystemFonts([...fontFolders]));
  let head = Buffer.from('RaS2');
  for (let index = 0; index < document.pageCount; index++) {
    const page = document.openPage(index);
    const placement = placementAt(settings.dpi, page.size, settings.type);
    const { columns, rows } = placement;
    const transform = index % 2 === 1 && settings.isDuplex ? backOf(settings) : FRONT;
    const size = [page.size.width, page.size.height].map(Math.round) as [number, number];
    const facts = { columns, rows, size, transform, pageCount: document.pageCount };
    head = Buffer.concat([head, headerOf(settings, facts)]);
    for (const band of bandsOf(columns, rows, transform.feed)) {
      const lines = painted(page.draw(placement, band), band, columns, settings.type);
      if (transform.feed < 0) lines.reverse();
      if (transform.crossFeed < 0) for (const line of lines) mirror(line, columns, settings.type);
      // Nothing of a page is sent before its first band is drawn.
      yield Buffer.concat([head, packed(lines, settings.type === 'srgb_8' ? 3 : 1)]);
      head = Buffer.alloc(0);
    }
    page.close();
  }
}

/**
 * Draws each page once, small, so that a document that cannot be drawn is refused before its hand-off.
 * @param moved called after each page
 * @throws NotSubmitted as `PdfDocument`, or another error if a page cannot be drawn
 */
export async function checkDrawable(
  bytes: Uint8Array,
  moved: () => void,
  fontFolders: readonly string[] = [],
): Promise<void> {
  const until = performance.now() + CHECK_MS;
  const document = await PdfDocument.open(bytes, new SystemFonts([...fontFolders]));
  for (let index = 0; index < document.pageCount && performance.now() < until; index++) {
    const page = document.openPage(index);
    const placement = placementAt(CHECK_DPI, page.size, 'sgray_8');
    for (const band of bandsOf(placement.columns, placement.rows, 1)) page.draw(placement, band);
    page.close();
    moved();
  }
}

/** A page that fills its sheet, dot for dot. */
export function placementAt(dpi: number, { width, height }: PageSize, type: RasterType): Placement {
  const dots = (points: number): number =>
    Math.max(1, Math.floor((points / POINTS_PER_INCH) * dpi + ROUNDING));
  const [columns, rows] = [dots(width), dots(height)];
  return {
    ...{ turns: 0, scale: 1, stepX: 1, stepY: 1, x: 0, y: 0, columns, rows },
    page: { left: 0, top: 0, width: columns, height: rows },
    ...{ color: type === 'srgb_8', shades: type !== 'black_1' },
  };
}

interface Transform {
  readonly crossFeed: 1 | -1;
  readonly feed: 1 | -1;
}
const FRONT: Transform = { crossFeed: 1, feed: 1 };

/** PWG 5102.4, table of CrossFeedTransform and FeedTransform. */
function backOf({ sheetBack, isTumble }: RasterSettings): Transform {
  switch (sheetBack) {
    case 'flipped':
      return isTumble ? { crossFeed: -1, feed: 1 } : { crossFeed: 1, feed: -1 };
    case 'rotated':
      return isTumble ? FRONT : { crossFeed: -1, feed: -1 };
    case 'manual-tumble':
      return isTumble ? { crossFeed: -1, feed: -1 } : FRONT;
    default:
      return FRONT;
  }
}

interface PageFacts {
  readonly columns: number;
  readonly rows: number;
  /** In points. */
  readonly size: [width: number, height: number];
  readonly transform: Transform;
  readonly pageCount: number;
}

function headerOf({ dpi, type, sheetName, isDuplex, isTumble }: RasterSettings, page: PageFacts): Buffer {
  const [colorSpace, bits] = FORMATS[type];
  const header = Buffer.alloc(HEADER);
  header.write('PwgRaster', 0, 'latin1');
  header.write(sheetName.slice(0, 63), 1732, 'latin1');
  const put = (at: number, ...values: number[]): void =>
    values.forEach((value, index) => header.writeInt32BE(value, at + index * 4));
  put(272, isDuplex ? 1 : 0, dpi, dpi);
  put(340, 1); // NumCopies: the job has the number.
  put(352, ...page.size);
  put(368, isTumble ? 1 : 0, page.columns, page.rows);
  put(384, bits === 24 ? 8 : bits, bits, Math.ceil((page.columns * bits) / 8), 0, colorSpace);
  put(420, bits === 24 ? 3 : 1);
  put(452, page.pageCount, page.transform.crossFeed, page.transform.feed);
  return header;
}

export function* bandsOf(columns: number, rows: number, feed: number): Iterable<Band> {
  const height = Math.max(1, Math.floor(BAND_BYTES / (columns * 3)));
  const count = Math.ceil(rows / height);
  for (let index = 0; index < count; index++) {
    const top = (feed < 0 ? count - 1 - index : index) * height;
    yield { top, rows: Math.min(height, rows - top) };
  }
}

/** The lines of a band, each in the bytes of PWG raster: one, or red, green and blue, for a pixel. */
export function painted(strips: readonly Strip[], band: Band, columns: number, type: RasterType): Buffer[] {
  const [, bits] = FORMATS[type];
  const length = Math.ceil((columns * bits) / 8);
  const lines = Array.from({ length: band.rows }, () => Buffer.alloc(length, type === 'black_1' ? 0 : 0xff));
  for (const strip of strips)
    for (let row = 0; row < strip.rows; row++) {
      const line = lines[strip.y - band.top + row];
      if (line) paintRow(line, strip, row, type);
    }
  return lines;
}

/** Millions of pixels: nothing is allocated here. */
function paintRow(line: Buffer, strip: Strip, row: number, type: RasterType): void {
  const { bits, palette, bytes, columns } = strip;
  const start = row * Math.ceil((columns * bits) / 32) * 4;
  const mask = (1 << bits) - 1;
  for (let column = 0, x = strip.x; column < columns; column++, x++) {
    const at = start + (bits === 24 ? column * 3 : (column * bits) >> 3);
    const color =
      bits === 24
        ? bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
        : palette[(bytes[at]! >> (8 - bits - ((column * bits) & 7))) & mask]!;
    if (type === 'srgb_8') line.writeUIntBE(color, x * 3, 3);
    else if (type === 'sgray_8') line[x] = grayOf(color);
    else if (grayOf(color) < 128) line[x >> 3]! |= 0x80 >> (x & 7);
  }
}

/** Luminance of 0xRRGGBB, as in BT.601. */
function grayOf(color: number): number {
  return (299 * (color >> 16) + 587 * ((color >> 8) & 0xff) + 114 * (color & 0xff) + 500) / 1000;
}

function mirror(line: Buffer, columns: number, type: RasterType): void {
  if (type !== 'black_1') {
    const pixel = type === 'srgb_8' ? 3 : 1;
    line.reverse();
    for (let at = 0; pixel === 3 && at < line.length; at += 3) line.subarray(at, at + 3).reverse();
    return;
  }
  const before = Buffer.from(line);
  line.fill(0);
  for (let x = 0; x < columns; x++)
    if (before[x >> 3]! & (0x80 >> (x & 7))) line[(columns - 1 - x) >> 3]! |= 0x80 >> ((columns - 1 - x) & 7);
}

/** Runs of equal lines, each of runs of equal or different pixels. */
function packed(lines: readonly Buffer[], pixel: number): Buffer {
  const parts: Buffer[] = [];
  for (let row = 0; row < lines.length;) {
    const line = lines[row]!;
    let end = row + 1;
    while (end < lines.length && end - row < 256 && lines[end]!.equals(line)) end++;
    parts.push(Buffer.of(end - row - 1), ...packedLine(line, pixel));
    row = end;
  }
  return Buffer.concat(parts);
}

function packedLine(line: Buffer, pixel: number): Buffer[] {
  const parts: Buffer[] = [];
  const count = line.length / pixel;
  const same = (a: number, b: number): boolean => {
    if (line[a * pixel] !== line[b * pixel]) return false;
    return pixel === 1 || (line[a * 3 + 1] === line[b * 3 + 1] && line[a * 3 + 2] === line[b * 3 + 2]);
  };
  for (let x = 0; x < count;) {
    let end = x + 1;
    if (end < count && same(x, end)) {
      while (end < count && end - x < 128 && same(x, end)) end++;
      parts.push(Buffer.of(end - x - 1), line.subarray(x * pixel, (x + 1) * pixel));
    } else {
      while (end < count && end - x < 128 && (end + 1 >= count || !same(end, end + 1))) end++;
      parts.push(Buffer.of(end - x === 1 ? 0 : 257 - (end - x)), line.subarray(x * pixel, end * pixel));
    }
    x = end;
  }
  return parts;
}
