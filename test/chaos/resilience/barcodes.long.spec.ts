import { CupsPrinters } from '../../../agent/printers/cups/cups-printers.js';
import { IppClient, ippServer } from '../../../agent/printers/ipp/ipp-client.js';
import { IppPrinter } from '../../../agent/printers/ipp/ipp-printer.js';
import { pwgRaster } from '../../../agent/printers/pdf/pwg-raster.js';
import type { PrinterProvider, PrintRequest } from '../../../agent/printers/provider.js';
import { BARCODES, barcodePdf, readBarcode, type Barcode } from '../../kit/barcodes.js';
import { Cupsd, cupsdMissing, filtersMissing } from '../../kit/cupsd.js';
import { IppEvePrinter, ippeveprinterMissing } from '../../kit/ippeveprinter.js';
import { pdfInThisProcess } from '../../kit/pdf-tool.js';
import { eventually } from '../../kit/polling.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { rasterPpd } from '../../kit/raster-ppd.js';

/** 70 mm, of which a barcode takes the upper left part. */
const SIDE = 198;
const FORMATS = Object.keys(BARCODES) as Barcode[];

type Device = Pick<PrinterProvider, 'submit'> & Required<Pick<PrinterProvider, 'admit'>>;

/** Prints the code with modules of so many dots; resolves to what is read on the paper. */
async function readBack(
  device: Device,
  printed: (documentName: string) => Promise<Buffer>,
  [format, dpi, dots]: readonly [Barcode, number, number],
  options: object = {},
): Promise<string | undefined> {
  const request: PrintRequest = {
    ...{ documentName: `svc:${format}:${dpi}`, printer: 'label', contentType: 'pdf', copies: 1 },
    options: { scale: 'actual', resolution_dpi: dpi, color: false, unsupported: 'refuse', ...options },
    bytes: await barcodePdf(format, [SIDE, SIDE], (72 / dpi) * dots),
  };
  await device.admit(request, quietProgress());
  await device.submit(request, quietProgress());
  const [page] = rasterPages(await printed(request.documentName));
  const side = Math.floor((SIDE / 72) * dpi);
  return readBarcode(page!.corner(side, side), side);
}

const ofCups = cupsdMissing() ?? filtersMissing();
(ofCups ? describe.skip : describe)('barcodes on a queue of CUPS', () => {
  let cupsd: Cupsd;
  let ipp: IppClient;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addPrinter('label', rasterPpd([{ name: 'A4', size: [210, 297] }], [203, 300, 600]));
    ipp = new IppClient(ippServer(cupsd.address));
  });
  afterAll(async () => {
    await ipp.close();
    await cupsd.remove();
  });

  it.each([203, 300, 600].flatMap((dpi) => FORMATS.map((format) => [format, dpi] as const)))(
    'are read back with modules of two dots: %s at %d dpi',
    async (format, dpi) => {
      const printed = (name: string) => eventually(name, () => cupsd.document(name));
      expect(await readBack(new CupsPrinters(ipp, pdfInThisProcess), printed, [format, dpi, 2])).toBe(
        BARCODES[format],
      );
    },
  );
});

const ofIpp = ippeveprinterMissing();
(ofIpp ? describe.skip : describe)('barcodes on an IPP printer without a queue', () => {
  let printer: IppEvePrinter;
  let device: IppPrinter;
  beforeAll(async () => {
    printer = await IppEvePrinter.start({ formats: ['image/pwg-raster'] });
    device = new IppPrinter(new URL(printer.address), pdfInThisProcess, (_, ...args) => pwgRaster(...args));
  });
  afterAll(async () => {
    await device.close();
    await printer.remove();
  });

  it.each([300, 600].flatMap((dpi) => FORMATS.map((format) => [format, dpi] as const)))(
    'are read back with modules of two dots: %s at %d dpi',
    async (format, dpi) => {
      const printed = async (name: string): Promise<Buffer> => (await printer.document(name)).bytes;
      const paper = { width_mm: 210, height_mm: 297 };
      expect(await readBack(device, printed, [format, dpi, 2], { paper })).toBe(BARCODES[format]);
    },
  );
});
