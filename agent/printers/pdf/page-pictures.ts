import { crc32, deflateSync } from 'node:zlib';
import { SystemFonts } from '../fonts/system-fonts.js';
import { PdfDocument, type PdfPage } from './pdf-renderer.js';
import { painted } from './pwg-raster.js';

/** So many pages at most; each is as large as fits into these pixels. */
export interface PictureSize {
  readonly pages: number;
  readonly width: number;
  readonly height: number;
}

export interface PagePicture {
  readonly width: number;
  readonly height: number;
  /** Base64. */
  readonly png: string;
}

export interface PagePictures {
  readonly page_count: number;
  readonly pages: readonly PagePicture[];
}

/**
 * Draws the first pages of a PDF for a screen.
 * @throws NotSubmitted as `PdfDocument`
 */
export async function pagePictures(
  bytes: Uint8Array,
  size: PictureSize,
  fontFolders: readonly string[] = [],
): Promise<PagePictures> {
  const document = await PdfDocument.open(bytes, new SystemFonts([...fontFolders]));
  const count = Math.min(document.pageCount, size.pages);
  const pages = Array.from({ length: count }, (_, index) => {
    const page = document.openPage(index);
    const picture = pictureOf(page, size);
    page.close();
    return picture;
  });
  return { page_count: document.pageCount, pages };
}

function pictureOf(page: PdfPage, size: PictureSize): PagePicture {
  const scale = Math.min(size.width / page.size.width, size.height / page.size.height);
  const pixels = (points: number): number => Math.max(1, Math.round(points * scale));
  const [width, height] = [pixels(page.size.width), pixels(page.size.height)];
  const placement = {
    ...{ turns: 0, scale, stepX: 1, stepY: 1, x: 0, y: 0, columns: width, rows: height },
    page: { left: 0, top: 0, width, height },
    ...{ color: true, shades: true, smooth: true },
  };
  const band = { top: 0, rows: height };
  const lines = painted(page.draw(placement, band), band, width, 'srgb_8');
  return { width, height, png: png(lines, width).toString('base64') };
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RGB_8 = Buffer.of(8, 2, 0, 0, 0);
const NO_FILTER = Buffer.of(0);

/** Lines of red, green and blue as PNG (W3C, third edition). */
function png(lines: readonly Buffer[], width: number): Buffer {
  const image = deflateSync(Buffer.concat(lines.flatMap((line) => [NO_FILTER, line])));
  const header = Buffer.concat([uint32(width), uint32(lines.length), RGB_8]);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', image), chunk('IEND')]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
