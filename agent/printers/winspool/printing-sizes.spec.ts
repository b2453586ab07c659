import { PDFDocument } from 'pdf-lib';
import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { changedMode } from './device-mode.js';
import { WinspoolPrinters } from './winspool-printers.js';

const POINTS_PER_MM = 72 / 25.4;
const RESOLUTIONS = [203, 300, 305, 360, 600];
const COUNT = 50;
/** From a label of 25 x 10 mm to A3, each larger than the one before. */
const SIZES = Array.from({ length: COUNT }, (_, index): [number, number] => {
  const part = index / (COUNT - 1);
  return [25 * (297 / 25) ** part, 10 * (420 / 10) ** part];
});
const edgeOn = ([, height]: [number, number]): number => Math.min(20, height / 2);

/** A page of each size with a square of 20 mm in its middle, or a smaller one where that has no room. */
async function squares(sizes: typeof SIZES): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const size of sizes) {
    const [width, height] = size.map((side) => side * POINTS_PER_MM) as [number, number];
    const edge = edgeOn(size) * POINTS_PER_MM;
    const page = document.addPage([width, height]);
    page.drawRectangle({ x: (width - edge) / 2, y: (height - edge) / 2, width: edge, height: edge });
  }
  return Buffer.from(await document.save());
}

describe('the size of what is printed with the scale actual', () => {
  // Each size at one resolution, each resolution with small and large sizes.
  it.each(RESOLUTIONS)('is right to a dot on ten of 50 sizes of sheets at %d dpi', async (dpi) => {
    const sizes = SIZES.filter((_, index) => RESOLUTIONS[index % RESOLUTIONS.length] === dpi);
    const spooler = new FakeWindowsSpooler();
    const { driver } = spooler;
    driver.settings = changedMode(driver.settings, { printQuality: dpi, yResolution: dpi });
    driver.marginInches = 0.04;
    spooler.sheet = driver.sheetOf(driver.settings, false);
    const printers = new WinspoolPrinters(spooler, undefined, documentProcessesInMemory(spooler).processes);
    const request = { documentName: 'svc:a:1', printer: 'desk', contentType: 'pdf', copies: 1 } as const;
    const options = { scale: 'actual', unsupported: 'refuse' } as const;
    const { receipt } = await printers.submit(
      { ...request, options, bytes: await squares(sizes) },
      quietProgress(),
    );

    expect(receipt).toMatchObject({ applied: { drawn_percent: 100, page_count: sizes.length }, ignored: [] });
    const dots = (mm: number): number => (mm / 25.4) * dpi;
    for (const [index, size] of sizes.entries()) {
      const { printable } = spooler.sheets[index]!;
      const strips = spooler.drawn[index]!;
      const [x, y] = [
        Math.min(...strips.map((strip) => strip.x)),
        Math.min(...strips.map((strip) => strip.y)),
      ];
      const columns = Math.max(...strips.map((strip) => strip.x + strip.columns)) - x;
      const rows = Math.max(...strips.map((strip) => strip.y + strip.rows)) - y;
      const edge = dots(edgeOn(size));
      for (const drawn of [columns, rows]) expect(Math.abs(drawn - edge)).toBeLessThanOrEqual(1);
      const corner = size.map((side) => (dots(side) - edge) / 2);
      for (const [side, start] of [printable.left + x, printable.top + y].entries())
        expect(Math.abs(start - corner[side]!)).toBeLessThanOrEqual(1.5); // The page has whole dots too.
    }
  });
});
