import { CupsPrinters } from '../../../agent/printers/cups/cups-printers.js';
import { IppClient, ippServer } from '../../../agent/printers/ipp/ipp-client.js';
import { Cupsd, cupsdMissing, filtersMissing } from '../../kit/cupsd.js';
import { pdfInThisProcess } from '../../kit/pdf-tool.js';
import { eventually } from '../../kit/polling.js';
import { length } from '../../kit/length.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { rasterPpd } from '../../kit/raster-ppd.js';
import { edgeOn, squarePdf, type PageMm } from '../../kit/square-pdfs.js';
import { describeUnless } from '../../kit/describe-unless.js';

const RESOLUTIONS = [203, 300, 305, 360, 600];
const INSET = 2;
/** In dots. */
const EXACTNESS = 1;
/** From labels to A3, upright and across; of the queue's own sheet only upright, because a page across it is turned. */
const SIZES = [
  '25x10 32x25 38x25 50x25 50x30 57x32 60x40 70x37 76x51 80x50 100x50 101.6x50.8 100x70',
  '100x100 102x76 100x150 101.6x152.4 105x148 105x210 110x220 120x176 148x210 162x229 176x250',
  '184.15x266.7 182x257 210x99 210x297 215.9x279.4 215.9x355.6 229x324 250x353 279.4x431.8',
  '297x420 62x29 62x100 29x90 40x20 45x45 54x101 58x58 64x34 75x120 80x200 90x55 99x38 99x67',
  '104x159 152.4x101.6 148x105',
]
  .flatMap((line) => line.split(' '))
  .map((size): PageMm => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return [width, height];
  });

/** Each size at one resolution; `soak`: all at all. */
const sizesAt = (dpi: number): readonly PageMm[] =>
  SIZES.filter((_, n) => length === 'soak' || n % RESOLUTIONS.length === RESOLUTIONS.indexOf(dpi));

function sizesOnCups(): void {
  let cupsd: Cupsd;
  let ipp: IppClient;
  let printers: CupsPrinters;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addPrinter('label', rasterPpd([{ name: 'A4', size: [210, 297] }], RESOLUTIONS));
    ipp = new IppClient(ippServer(cupsd.address));
    printers = new CupsPrinters(ipp, pdfInThisProcess);
  });
  afterAll(async () => {
    await ipp.close();
    await cupsd.remove();
  });

  it.each(RESOLUTIONS)(
    'draws all edges of a square within a dot at %i dpi on pages from labels to A3',
    async (dpi) => {
      for (const size of sizesAt(dpi)) {
        const documentName = `svc:size-${size.join('x').replaceAll('.', '_')}:${dpi}`;
        const options = {
          scale: 'actual',
          resolution_dpi: dpi,
          color: false,
          unsupported: 'refuse',
        } as const;
        const document = { documentName, printer: 'label', contentType: 'pdf', copies: 1, options } as const;
        const request = { ...document, bytes: await squarePdf(INSET, size) };
        await printers.admit(request, quietProgress());
        await printers.submit(request, quietProgress());
        const output = await eventually(documentName, () => cupsd.document(documentName));
        const [page] = rasterPages(output);
        const { left, top, right, bottom } = page!.ink();
        const dots = (mm: number): number => (mm / 25.4) * dpi;
        const far = dots(INSET + edgeOn(size, INSET));
        const off = [dots(INSET) - left, dots(INSET) - top, right - far, bottom - far];

        expect({ size, dpi, off: off.filter((dot) => Math.abs(dot) > EXACTNESS) }).toEqual({
          size,
          dpi,
          off: [],
        });
      }
    },
    900_000,
  );
}

describeUnless(cupsdMissing() ?? filtersMissing(), 'sizes on a real cupsd', sizesOnCups);
