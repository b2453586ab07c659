import { deflateSync } from 'node:zlib';
import type * as PdfLib from 'pdf-lib';
import { SystemFonts } from '../fonts/system-fonts.js';
import { POINTS_PER_INCH } from './page-layout.js';
import type { Strip } from './page-strips.js';
import { PdfDocument } from './pdf-renderer.js';
import { bandsOf, placementAt } from './pwg-raster.js';

export interface PictureSettings {
  readonly dpi: number;
  readonly color: boolean;
  /** The pages are drawn by Ghostscript's device for CUPS, whose sheets have whole points. */
  readonly wholePoints: boolean;
}

/** Of all pictures of a document, compressed. */
const MAX_BYTES = 128 * 1024 * 1024;
const WITHIN_MS = 60_000;
/** A long document is looked at for this long. */
const LOOK_MS = 60_000;

/**
 * Whether others than PDFium may leave out a part of a page: letters of a font that the document does not embed, but
 * for those that every printer has, or an annotation without an appearance.
 * @param moved called after each page
 * @throws NotSubmitted as `PdfDocument`
 */
export async function needsDrawing(
  bytes: Uint8Array,
  moved: () => void,
  fontFolders: readonly string[] = [],
): Promise<boolean> {
  const until = performance.now() + LOOK_MS;
  const document = await PdfDocument.open(bytes, new SystemFonts([...fontFolders]));
  let isNeeded = false;
  for (let index = 0; index < document.pageCount && performance.now() < until; index++) {
    const page = document.openPage(index);
    isNeeded ||= page.needsDrawing;
    page.close();
    moved();
  }
  return isNeeded;
}

/**
 * Draws each page and returns a PDF of these pictures, dot for dot, so that no other program chooses fonts or rounds
 * edges. Undefined if it becomes too large, or takes more than a minute.
 * @param moved called after each part of a page
 * @throws NotSubmitted as `PdfDocument`, or another error if a page cannot be drawn
 */
export async function picturedPages(
  bytes: Uint8Array,
  settings: PictureSettings,
  moved: () => void,
  fontFolders: readonly string[] = [],
): Promise<Uint8Array | undefined> {
  const until = performance.now() + WITHIN_MS;
  const source = await PdfDocument.open(bytes, new SystemFonts([...fontFolders]));
  const lib = await import('pdf-lib'); // Loaded by the first such document.
  const pictures = await lib.PDFDocument.create();
  let size = 0;
  for (let index = 0; index < source.pageCount; index++) {
    const page = source.openPage(index);
    const placement = placementAt(settings.dpi, page.size, settings.color ? 'srgb_8' : 'sgray_8');
    const sheet = new PictureSheet(lib, pictures, [page.size.width, page.size.height], settings);
    for (const band of bandsOf(placement.columns, placement.rows, 1)) {
      for (const strip of page.draw(placement, band)) size += sheet.add(strip);
      moved();
      if (size > MAX_BYTES || performance.now() > until) return undefined;
    }
    sheet.finish();
    page.close();
  }
  return pictures.save();
}

/** A page of pictures. */
class PictureSheet {
  private readonly page;
  private readonly operators: string[] = [];
  /** A sheet of whole points leaves the rest of a page at its lower edge. */
  private readonly top: number;

  constructor(
    private readonly lib: typeof PdfLib,
    private readonly document: PdfLib.PDFDocument,
    size: [width: number, height: number],
    private readonly settings: PictureSettings,
  ) {
    this.page = document.addPage(size);
    this.top = settings.wholePoints ? Math.round(size[1]) : size[1];
  }

  /** Returns the bytes that the picture takes. */
  add(strip: Strip): number {
    const { context } = this.document;
    const { columns, rows, palette, bits } = strip;
    const bytes = deflateSync(rowsOf(strip), { level: 1 });
    const table = this.lib.PDFHexString.of(
      palette.map((color) => color.toString(16).padStart(6, '0')).join(''),
    );
    const picture = context.stream(bytes, {
      ...{ Type: 'XObject', Subtype: 'Image', Width: columns, Height: rows, Filter: 'FlateDecode' },
      BitsPerComponent: bits === 24 ? 8 : bits,
      ColorSpace: bits === 24 ? 'DeviceRGB' : ['Indexed', 'DeviceRGB', palette.length - 1, table],
    });
    const name = this.page.node.newXObject('Picture', context.register(picture));
    const [width, height, left, down] = [columns, rows, strip.x, strip.y + rows].map((dots) =>
      this.points(dots),
    );
    this.operators.push(`q ${width} 0 0 ${height} ${left} ${this.top - down!} cm ${String(name)} Do Q`);
    return bytes.length;
  }

  finish(): void {
    const { context } = this.document;
    this.page.node.addContentStream(context.register(context.flateStream(this.operators.join('\n'))));
  }

  private points(dots: number): number {
    return Math.round((dots / this.settings.dpi) * POINTS_PER_INCH * 1e5) / 1e5;
  }
}

/** The rows of a strip as PDF has them: filled up to whole bytes; red, green and blue. */
function rowsOf({ columns, rows, bits, bytes }: Strip): Buffer {
  const [from, to] = [Math.ceil((columns * bits) / 32) * 4, Math.ceil((columns * bits) / 8)];
  const packed = Buffer.alloc(to * rows);
  for (let row = 0; row < rows; row++) packed.set(bytes.subarray(row * from, row * from + to), row * to);
  for (let at = 0; bits === 24 && at < packed.length; at += 3) {
    const blue = packed[at]!;
    packed[at] = packed[at + 2]!;
    packed[at + 2] = blue;
  }
  return packed;
}
