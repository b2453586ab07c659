import { CupsPrinters } from '../../../agent/printers/cups/cups-printers.js';
import { IppClient, ippServer } from '../../../agent/printers/ipp/ipp-client.js';
import { arrange, pageSizes } from '../../../agent/printers/pdf/page-arranger.js';
import { checkDrawable } from '../../../agent/printers/pdf/pwg-raster.js';
import { Cupsd, cupsdMissing, filtersMissing } from '../../kit/cupsd.js';
import { eventually } from '../../kit/polling.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { rasterPpd } from '../../kit/raster-ppd.js';
import { edgeOn, squarePdf, type PageMm } from '../../kit/square-pdfs.js';

const RESOLUTIONS = [203, 300, 305, 360, 600];
const INSET = 2;
/** In dots. Ghostscript blackens each dot that a shape touches, and rounds the height of the sheet. */
const EXACTNESS = 1.5;
/** From labels to A3, upright and across. */
const SIZES: PageMm[] = [
  ...([
    [25, 10],
    [32, 25],
    [38, 25],
    [50, 25],
    [50, 30],
    [57, 32],
    [60, 40],
    [70, 37],
  ] as const),
  ...([
    [76, 51],
    [80, 50],
    [100, 50],
    [101.6, 50.8],
    [100, 70],
    [100, 100],
    [102, 76],
  ] as const),
  ...([
    [100, 150],
    [101.6, 152.4],
    [105, 148],
    [105, 210],
    [110, 220],
    [120, 176],
    [148, 210],
  ] as const),
  ...([
    [162, 229],
    [176, 250],
    [184.15, 266.7],
    [182, 257],
    [210, 99],
    [210, 297],
    [215.9, 279.4],
  ] as const),
  ...([
    [215.9, 355.6],
    [229, 324],
    [250, 353],
    [279.4, 431.8],
    [297, 420],
    [62, 29],
    [62, 100],
  ] as const),
  ...([
    [29, 90],
    [40, 20],
    [45, 45],
    [54, 101],
    [58, 58],
    [64, 34],
    [75, 120],
    [80, 200],
  ] as const),
  ...([
    [90, 55],
    [99, 38],
    [99, 67],
    [104, 159],
    [152.4, 101.6],
    [297, 210],
  ] as const),
];

function sizesOnCups(): void {
  let cupsd: Cupsd;
  let ipp: IppClient;
  let printers: CupsPrinters;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addPrinter('label', rasterPpd([{ name: 'A4', size: [210, 297] }], RESOLUTIONS));
    ipp = new IppClient(ippServer(cupsd.address));
    printers = new CupsPrinters(ipp, (_, use) => use({ arrange, pageSizes, checkDrawable }));
  });
  afterAll(async () => {
    await ipp.close();
    await cupsd.remove();
  });

  it.each(RESOLUTIONS)(
    'draws all edges of a square within 1.5 dots at %i dpi on pages from labels to A3',
    async (dpi) => {
      for (const size of SIZES) {
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
        const output = await eventually(documentName, async () => (await cupsd.output()).get(documentName));
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

const missing = cupsdMissing() ?? filtersMissing();
describe('sizes on a real cupsd', () => {
  if (!missing) return sizesOnCups();
  it(`are skipped: ${missing}`, () => {
    process.stderr.write(`cups-sizes: not tested, ${missing}\n`);
  });
});
