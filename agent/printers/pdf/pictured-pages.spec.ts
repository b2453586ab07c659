import { rgb } from 'pdf-lib';
import { DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import { formPdf } from '../../../test/kit/sample-forms.js';
import { unembeddedPdf } from '../../../test/kit/sample-fonts.js';
import { drawnPdf, pdfOf } from '../../../test/kit/sample-pdfs.js';
import { bandsOf, placementOf } from './page-layout.js';
import { PdfDocument } from './pdf-renderer.js';
import { needsDrawing, picturedPages } from './pictured-pages.js';

const quiet = (): void => undefined;
/** Whole dots. */
const SIZE: [number, number] = [216, 108];
const DPI = 300;
const sheet = sheetOf([SIZE[0] / 72, SIZE[1] / 72], DPI, 0);

/** What a page looks like, dot by dot. */
async function drawn(pdf: Uint8Array): Promise<DrawnSheet> {
  const page = (await PdfDocument.open(pdf)).openPage(0);
  const placement = placementOf(page.size, sheet, 'actual');
  const strips = [...bandsOf(placement)].flatMap((band) => page.draw(placement, band));
  page.close();
  return new DrawnSheet(sheet, strips);
}

/** Without appearance. */
const lineAnnotation = (): Promise<Buffer> =>
  drawnPdf(SIZE, (page, { context }) => {
    const line = { Type: 'Annot', Subtype: 'Line', F: 4, Rect: [10, 10, 90, 90], L: [10, 10, 90, 90] };
    page.node.addAnnot(context.register(context.obj(line)));
  });

const pictured = (pdf: Uint8Array, color = true): Promise<Uint8Array | undefined> =>
  picturedPages(pdf, { dpi: DPI, color, wholePoints: true }, quiet);

describe('pictures of pages', () => {
  it.each<[string, number]>([
    ['two colours', 1],
    ['sixteen colours', 15],
    ['a palette', 200],
    ['more colours than a palette has', 600],
  ])('look as the pages do, dot by dot (%s)', async (_, count) => {
    const pdf = await drawnPdf(SIZE, (page) => {
      for (let n = 0; n < count; n++)
        page.drawRectangle({
          ...{ x: 3 + (n % 40) * 4.5, y: 7 + Math.floor(n / 40) * 5, width: 4, height: 4 },
          color: rgb((n % 7) / 7, (n % 11) / 11, (n % 13) / 13),
        });
    });
    const [page, picture] = [await drawn(pdf), await drawn((await pictured(pdf))!)];
    let different = 0;
    for (let y = 0; y < sheet.height; y++)
      for (let x = 0; x < sheet.width; x++) if (page.at(x, y) !== picture.at(x, y)) different++;
    expect(different).toBe(0);
  });

  it('are grey without colour', async () => {
    const picture = await drawn((await pictured(await pdfOf(SIZE), false))!);
    const [dark = 0] = [...picture.colors()].filter((color) => color !== 0xffffff);
    expect([dark >> 16, (dark >> 8) & 0xff]).toEqual([dark & 0xff, dark & 0xff]);
  });

  it('keep the number and sizes of pages', async () => {
    const sizes: [number, number][] = [SIZE, [100, 300], SIZE];
    const document = await PdfDocument.open((await pictured(await pdfOf(...sizes)))!);
    expect(sizes.map((_, index) => document.sizeOf(index))).toEqual(
      sizes.map(([width, height]) => ({ width, height })),
    );
  });
});

describe('a document', () => {
  it.each<[boolean, string, () => Promise<Buffer>]>([
    [false, 'of lines and boxes', () => pdfOf(SIZE)],
    [false, 'with letters that every printer has', () => unembeddedPdf('Helvetica', 'Type1', 'Aéß')],
    [false, 'with quotes and dashes of such a font', () => unembeddedPdf('Helvetica', 'Type1', '’–•€')],
    [true, 'with other letters of such a font', () => unembeddedPdf('Helvetica', 'Type1', 'Ł')],
    [true, 'with a font that it does not embed', () => unembeddedPdf('Calibri', 'TrueType', 'A')],
    [false, 'with a filled field', () => formPdf('text')],
    [false, 'with a stamp', () => formPdf('stamp')],
    [true, 'with an annotation without appearance', () => formPdf('square without appearance')],
    [false, 'with one that PDFium does not draw either', lineAnnotation],
    [false, 'with such an annotation for screens only', () => formPdf('square without appearance', 0)],
  ])('needs to be drawn: %s, %s', async (isNeeded, _, pdf) => {
    expect(await needsDrawing(await pdf(), quiet)).toBe(isNeeded);
  });
});
