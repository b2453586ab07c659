import { BARCODES, barcodePdf, readBarcode, type Barcode } from '../../../test/kit/barcodes.js';
import { DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import { bandsOf, placementOf } from './page-layout.js';
import { PdfDocument } from './pdf-renderer.js';

/** A label of 70 mm, whose width is a whole number of dots at none of the resolutions. */
const LABEL: [number, number] = [198.43, 198.43];
/** Readers want two dots for each module. */
const DOTS = 2;

describe('barcodes at the smallest size that can be printed', () => {
  it.each(
    [203, 300, 305, 360, 600].flatMap((dpi) =>
      (Object.keys(BARCODES) as Barcode[]).map((format) => [dpi, format] as const),
    ),
  )('are read at %d dpi: %s', async (dpi, format) => {
    const sheet = sheetOf([LABEL[0] / 72, LABEL[1] / 72], dpi, 0, false);
    const document = await PdfDocument.open(await barcodePdf(format, LABEL, (72 / dpi) * DOTS));
    const page = document.openPage(0);
    const placement = placementOf(page.size, sheet);
    const strips = [...bandsOf(placement)].flatMap((band) => page.draw(placement, band));

    expect(await readBarcode(new DrawnSheet(sheet, strips).gray(), sheet.width)).toBe(BARCODES[format]);
  });
});
