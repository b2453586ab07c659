import type { Receipt } from '../../service/protocol.js';
import { isCutOff } from './cut-off.js';
import { resetTo } from './device-wishes.js';
import { bandsOf, placementOf, type Placement } from '../pdf/page-layout.js';
import type { PrintPlan } from './print-plan.js';
import type { PdfPage } from '../pdf/pdf-renderer.js';
import type { Canvas } from './spooler-api.js';

interface PrintingSteps {
  /** Runs what PDFium does for a page or band. */
  draw<T>(draw: () => T): Promise<T>;
  /** Awaited before each page, also before the spooler can receive any bytes: the first band is drawn by then. */
  beforeBytes(): Promise<void>;
  /** The spooler took a band or ended a page. */
  moved(): void;
}

/** Draws the sides of a plan, and resolves to what they became. */
export async function printPages(canvas: Canvas, plan: PrintPlan, steps: PrintingSteps): Promise<Receipt> {
  const placements = new Map<number, Placement>();
  let isCut = false;
  for (const { page: index, changes } of plan.sides) {
    await resetTo(canvas, changes);
    if (index === undefined) {
      await canvas.startPage();
      await canvas.endPage();
      steps.moved();
      continue;
    }
    const page = await steps.draw(() => plan.document.openPage(index));
    const placement = placementOf(page.size, canvas.sheet, plan.scaling, plan.layout);
    if (!placements.has(index)) isCut ||= await steps.draw(() => isCutOff(page, placement));
    placements.set(index, placement);
    await printPage(canvas, page, placement, steps);
    page.close();
  }
  return receiptOf(canvas, plan, [...placements.values()], isCut);
}

async function printPage(
  canvas: Canvas,
  page: PdfPage,
  placement: Placement,
  steps: PrintingSteps,
): Promise<void> {
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
}

function receiptOf(canvas: Canvas, plan: PrintPlan, placements: Placement[], isCut: boolean): Receipt {
  const scale = placements.reduce(
    (most, { scale }) => (Math.abs(scale - 1) > Math.abs(most - 1) ? scale : most),
    1,
  );
  const reason = 'what lies outside the printable area is cut off';
  return {
    applied: {
      ...plan.applied,
      resolution_dpi: Math.round(canvas.sheet.dpiX / (placements[0]?.stepX ?? 1)),
      drawn_percent: Math.round(scale * 1000) / 10,
    },
    ignored: isCut ? [...plan.ignored, { option: 'scale', reason }] : plan.ignored,
  };
}
