import { rgb } from 'pdf-lib';
import { A4_INCHES, DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import { FORM_KINDS, formPdf, type FormKind } from '../../../test/kit/sample-forms.js';
import { A4, drawnPdf } from '../../../test/kit/sample-pdfs.js';
import { bandsOf, placementOf, type Scaling, type Sheet } from './page-layout.js';
import type { Strip } from './page-strips.js';
import { PdfDocument } from './pdf-renderer.js';

const POINTS_PER_MM = 72 / 25.4;
const SQUARE_MM = 20;

/** What PDFium draws of the first page. */
async function stripsOfPage(pdf: Uint8Array, sheet: Sheet, scaling?: Scaling): Promise<Strip[]> {
  const page = (await PdfDocument.open(pdf)).openPage(0);
  const placement = placementOf(page.size, sheet, scaling);
  const strips = [...bandsOf(placement)].flatMap((band) => page.draw(placement, band));
  page.close();
  return strips;
}

async function drawn(pdf: Uint8Array, sheet: Sheet, scaling?: Scaling): Promise<DrawnSheet> {
  return new DrawnSheet(sheet, await stripsOfPage(pdf, sheet, scaling));
}

/** A square of 20 mm, 30 mm from the left and upper edge. */
function squarePdf(size: [number, number]): Promise<Buffer> {
  const side = SQUARE_MM * POINTS_PER_MM;
  const at = 30 * POINTS_PER_MM;
  return drawnPdf(size, (page) =>
    page.drawRectangle({ x: at, y: size[1] - at - side, width: side, height: side }),
  );
}

describe('the size of what is drawn', () => {
  const LABEL_INCHES: [number, number] = [100 / 25.4, 150 / 25.4];
  const LABEL: [number, number] = [100 * POINTS_PER_MM, 150 * POINTS_PER_MM];

  it.each<[number, string, [number, number], [number, number]]>([
    [203, 'a label', LABEL_INCHES, LABEL],
    [300, 'A4', A4_INCHES, A4],
    [305, 'a label', LABEL_INCHES, LABEL],
    [360, 'A4', A4_INCHES, A4],
    [600, 'A4', A4_INCHES, A4],
    [1200, 'a label', LABEL_INCHES, LABEL],
  ])('is right to a dot at %d dpi on %s, measured from the corner', async (dpi, _, sheetInches, size) => {
    const sheet = sheetOf(sheetInches, dpi, 0.17, dpi < 300);
    const box = (await drawn(await squarePdf(size), sheet)).ink();

    const dot = Math.ceil(dpi / 600);
    const dots = (mm: number): number => (mm / 25.4) * dpi;
    for (const side of [box.left, box.top]) expect(Math.abs(side - dots(30))).toBeLessThanOrEqual(dot);
    for (const side of [box.width, box.height])
      expect(Math.abs(side - dots(SQUARE_MM))).toBeLessThanOrEqual(dot);
  });

  it('is that of the printable area for a page that is larger than the sheet', async () => {
    const size: [number, number] = [612, 792];
    const sheet = sheetOf(A4_INCHES, 300);
    const frame = { x: 1, y: 1, width: 610, height: 790, borderWidth: 2 };
    const { left, width } = (
      await drawn(await drawnPdf(size, (page) => page.drawRectangle(frame)), sheet)
    ).ink();

    expect([left, width]).toEqual([75, sheet.printable.width]);
  });

  it('cuts off what lies outside the printable area', async () => {
    const sheet = sheetOf(A4_INCHES, 300);
    const full = { x: 0, y: 0, width: A4[0], height: A4[1] };
    const { left, top, width, height } = (
      await drawn(await drawnPdf(A4, (page) => page.drawRectangle(full)), sheet)
    ).ink();

    expect({ left, top, width, height }).toEqual(sheet.printable);
  });
});

describe('the bytes of a page', () => {
  it.each([true, false])('are at most 3 MB for office pages at 600 dpi (colour: %s)', async (color) => {
    const pdf = await drawnPdf(A4, (page) => {
      page.drawText('Quarterly report', { x: 71, y: 750, size: 20, color: rgb(0.1, 0.2, 0.5) });
      const line = 'The quick brown fox jumps over the lazy dog while twelve printers hum, and all see it.';
      for (let y = 720; y > 80; y -= 14) page.drawText(line, { x: 71, y, size: 11 });
      page.drawRectangle({ x: 71, y: 60, width: 450, height: 14, color: rgb(0.9, 0.9, 0.9) });
    });
    const bytes = (await stripsOfPage(pdf, sheetOf(A4_INCHES, 600, 0.17, color))).map(
      ({ bytes }) => bytes.length,
    );
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(3_000_000);
  });
});

describe('forms and annotations', () => {
  const sheet = sheetOf([300 / 72, 300 / 72], 100, 0);
  const inkOf = async (kind: FormKind, flags?: number) => {
    const { width, height } = (await drawn(await formPdf(kind, flags), sheet)).ink();
    return { width, height };
  };

  it.each(FORM_KINDS)('are drawn: %s', async (kind) => {
    const { width, height } = await inkOf(kind);
    expect(Math.min(width, height)).toBeGreaterThan(10);
  });

  it.each<[string, number, FormKind, boolean]>([
    ['a field that only the screen shows', 0, 'text', false],
    ['a field that only paper shows', 4 | 32, 'text', true],
    ['a hidden field', 2 | 4, 'text', false],
    ['a stamp that only the screen shows', 0, 'stamp', false],
  ])('are drawn as meant for paper: %s', async (_, flags, kind, isDrawn) => {
    expect((await inkOf(kind, flags)).width > 0).toBe(isDrawn);
  });
});
