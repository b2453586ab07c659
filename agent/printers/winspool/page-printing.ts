import { bandsOf, placementOf } from './page-layout.js';
import type { PdfDocument } from './pdf-renderer.js';
import type { Canvas } from './spooler-api.js';

interface PrintingSteps {
  /** Runs what PDFium does for a page or band. */
  draw<T>(draw: () => T): Promise<T>;
  /** Awaited before each page, also before the spooler can receive any bytes: the first band is drawn by then. */
  beforeBytes(): Promise<void>;
  /** The spooler took a band or ended a page. */
  moved(): void;
}

/** Draws the pages of a PDF, all of them once per copy, because not every driver repeats pages. */
export async function printPages(
  canvas: Canvas,
  document: PdfDocument,
  copies: number,
  steps: PrintingSteps,
): Promise<void> {
  for (let copy = 0; copy < copies; copy++) {
    for (let index = 0; index < document.pageCount; index++) {
      const page = await steps.draw(() => document.openPage(index));
      const placement = placementOf(page.size, canvas.sheet);
      const [first, ...others] = bandsOf(placement);
      // A page of which nothing can be printed has no band.
      let strips = first ? await steps.draw(() => page.draw(placement, first)) : [];
      await steps.beforeBytes();
      await canvas.startPage();
      for (const strip of strips) await canvas.draw(strip);
      for (const band of others) {
        steps.moved();
        strips = await steps.draw(() => page.draw(placement, band));
        for (const strip of strips) await canvas.draw(strip);
      }
      steps.moved();
      await canvas.endPage();
      steps.moved();
      page.close();
    }
  }
}
