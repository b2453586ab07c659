import { bandsOf, placementOf } from './page-layout.js';
import type { PdfDocument } from './pdf-renderer.js';
import type { Canvas } from './spooler-api.js';

/**
 * Draws the pages of a PDF, all of them once per copy, because not every driver repeats pages. `beforeBytes` is called
 * before the spooler can receive any.
 */
export async function printPages(
  canvas: Canvas,
  document: PdfDocument,
  copies: number,
  beforeBytes: () => void,
): Promise<void> {
  for (let copy = 0; copy < copies; copy++) {
    for (let index = 0; index < document.pageCount; index++) {
      beforeBytes();
      await document.withPage(index, async (page) => {
        const placement = placementOf(page.size, canvas.area);
        await canvas.startPage();
        for (const band of bandsOf(placement)) {
          await canvas.draw(page.draw(placement, band), placement, band);
        }
        await canvas.endPage();
      });
    }
  }
}
