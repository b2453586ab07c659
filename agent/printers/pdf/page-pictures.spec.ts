import { inflateSync } from 'node:zlib';
import { A4, drawnPdf, pdfOf } from '../../../test/kit/sample-pdfs.js';
import { pagePictures, type PagePicture } from './page-pictures.js';

const SIZE = { pages: 3, width: 200, height: 300 };
const LENGTH_AND_TYPE = 8;
const CRC = 4;

/** The parts of a PNG by type. */
function partsOf({ png }: PagePicture): ReadonlyMap<string, Buffer> {
  const bytes = Buffer.from(png, 'base64');
  const parts = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const start = at + LENGTH_AND_TYPE;
    const end = start + bytes.readUInt32BE(at);
    parts.set(bytes.toString('latin1', at + 4, start), bytes.subarray(start, end));
    at = end + CRC;
  }
  return parts;
}

/** 0xRRGGBB */
function colorAt(picture: PagePicture, x: number, y: number): number {
  const lines = inflateSync(partsOf(picture).get('IDAT')!);
  return lines.readUIntBE(y * (1 + picture.width * 3) + 1 + x * 3, 3);
}

describe('pictures of the first pages', () => {
  it('are as many as asked for, each as large as fits', async () => {
    const wide: [number, number] = [800, 400];
    const { page_count, pages } = await pagePictures(await pdfOf(A4, wide, A4, A4), SIZE);

    expect(page_count).toBe(4);
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [200, 283],
      [200, 100],
      [200, 283],
    ]);
  });

  it('are PNGs with the colours of the page', async () => {
    const { pages } = await pagePictures(await pdfOf(A4), SIZE);
    const header = partsOf(pages[0]!).get('IHDR')!;

    expect([header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]]).toEqual([200, 283, 8, 2]);
    expect(colorAt(pages[0]!, 10, 10).toString(16)).toBe('ff0000');
    expect(colorAt(pages[0]!, 150, 200).toString(16)).toBe('ffffff');
  });

  it('have gray edges, so that small letters can be read on a screen', async () => {
    const circle = await drawnPdf(A4, (page) => page.drawCircle({ x: 300, y: 400, size: 200 }));
    const { pages } = await pagePictures(circle, SIZE);
    const line = Array.from({ length: 200 }, (_, x) => colorAt(pages[0]!, x, 100));

    expect(line.some((color) => color !== 0 && color !== 0xffffff)).toBe(true);
  });

  it('are refused for a damaged document', async () => {
    await expect(pagePictures(Buffer.from('%PDF-1.7\n'), SIZE)).rejects.toMatchObject({
      failureCode: 'CONTENT_TYPE_NOT_SUPPORTED',
    });
  });
});
