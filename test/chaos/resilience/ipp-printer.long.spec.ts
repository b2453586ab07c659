import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectPrinters } from '../../../agent/printers/direct/direct-printers.js';
import { IppPrinter } from '../../../agent/printers/ipp/ipp-printer.js';
import { pageSizes } from '../../../agent/printers/pdf/page-arranger.js';
import { pwgRaster } from '../../../agent/printers/pdf/pwg-raster.js';
import type { PrintRequest, SubmitProgress, Submitted } from '../../../agent/printers/provider.js';
import type { PrintOptions } from '../../../agent/service/protocol.js';
import { IppEvePrinter, ippeveprinterMissing, type Taken } from '../../kit/ippeveprinter.js';
import { pdfInThisProcess } from '../../kit/pdf-tool.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { barPdf, squarePdf } from '../../kit/square-pdfs.js';
import {
  numberingProviderContract,
  printerProviderContract,
} from '../../contract/printer-provider.contract.js';
import { describeUnless } from '../../kit/describe-unless.js';

const A4 = [210, 297] as const;
const A4_PAPER = { width_mm: 210, height_mm: 297 };
let documents = 0;

function open(address: string): IppPrinter {
  return new IppPrinter(new URL(address), pdfInThisProcess, (_, ...args) => pwgRaster(...args));
}

function request(bytes: Buffer, options?: Partial<PrintOptions>, more?: Partial<PrintRequest>): PrintRequest {
  return {
    ...{ documentName: `svc:ipp:${++documents}`, printer: 'office', contentType: 'pdf', copies: 1, bytes },
    options: options && { unsupported: 'refuse', ...options },
    ...more,
  };
}

async function print(
  device: IppPrinter,
  wanted: PrintRequest,
  steps?: Partial<SubmitProgress>,
): Promise<Submitted> {
  await device.admit(wanted, quietProgress());
  return device.submit(wanted, quietProgress(steps));
}

function pdfPrinter(): void {
  let printer: IppEvePrinter;
  let device: IppPrinter;
  beforeAll(async () => {
    const formats = ['application/pdf', 'application/octet-stream', 'text/plain'];
    printer = await IppEvePrinter.start({ formats, isDuplex: true });
    device = open(printer.address);
  });
  afterAll(async () => {
    await device.close();
    await printer.remove();
  });

  const printed = async (...document: Parameters<typeof request>): Promise<Submitted & { taken: Taken }> => {
    const wanted = request(...document);
    const submitted = await print(device, wanted);
    return { ...submitted, taken: await printer.document(wanted.documentName) };
  };

  it('tells its state, identity and capabilities', async () => {
    expect(await device.state()).toEqual({
      ...{ online: true, trouble: undefined, driver: 'Example Printer' },
      deviceId: expect.stringMatching(/^urn:uuid:/),
      capabilities: expect.objectContaining({
        ...{ content_types: ['pdf', 'raw', 'text'], color: false, duplex: true, resolutions_dpi: [600] },
        trays: ['auto', 'main', 'manual', 'by-pass-tray'],
      }),
    });
  });

  it('passes a PDF without options unchanged, with its title, and tells the defaults', async () => {
    const bytes = await squarePdf(10, A4);
    const { taken, receipt, spoolerJobId } = await printed(bytes, undefined, { title: 'Grüße' });

    expect(taken.bytes.equals(bytes)).toBe(true);
    expect(taken.jobName).toMatch(/^Grüße svc:ipp:\d+$/);
    expect(taken.attributes).toMatchObject({ IPP_JOB_ID: spoolerJobId });
    expect(receipt?.applied).toMatchObject({
      paper: 'na_letter_8.5x11in',
      page_count: 1,
      duplex: 'one-sided',
    });
  });

  it('passes options as attributes of the job', async () => {
    const options = {
      paper: A4_PAPER,
      tray: 'manual',
      duplex: 'short-edge',
      color: false,
      resolution_dpi: 600,
    } as const;
    const { taken, receipt } = await printed(await squarePdf(10, A4), options, { copies: 3 });

    expect(taken.attributes).toMatchObject({
      ...{ IPP_SIDES: 'two-sided-short-edge', IPP_COPIES: '3', IPP_PRINT_COLOR_MODE: 'monochrome' },
      IPP_MEDIA_COL: expect.stringMatching(/x-dimension=21000 y-dimension=29700.*media-source=manual/),
      ...{ IPP_PRINTER_RESOLUTION: '600dpi' },
      IPP_MULTIPLE_DOCUMENT_HANDLING: 'separate-documents-collated-copies',
    });
    expect(receipt).toEqual({
      applied: {
        ...{
          paper: 'iso_a4_210x297mm',
          tray: 'manual',
          duplex: 'short-edge',
          color: false,
          resolution_dpi: 600,
        },
        ...{ sheet_mm: [210, 297], page_count: 1, scale: 'shrink', drawn_percent: 100 },
      },
      ignored: [],
    });
  });

  it('lays the chosen pages out on the sheet', async () => {
    const { taken, receipt } = await printed(await barPdf([420, 594], 10, 20, 30), {
      paper: A4_PAPER,
      pages: '2-',
    });

    expect((await pageSizes(taken.bytes)).map((size) => size.map(Math.round))).toEqual([
      [595, 842],
      [595, 842],
    ]);
    expect(receipt?.applied.drawn_percent).toBeCloseTo((197.3 / 420) * 100, 1);
  });

  it.each([
    ['paper', { paper: { width_mm: 100, height_mm: 150 } }],
    ['color', { color: true }],
    ['tray', { tray: 'cellar' }],
    ['resolution_dpi', { resolution_dpi: 300 }],
  ] as const)('refuses %s that the printer does not have, or prints without it', async (option, options) => {
    const bytes = await squarePdf(10, A4);
    await expect(print(device, request(bytes, options))).rejects.toMatchObject({
      ...{ failureCode: 'OPTION_NOT_SUPPORTED', failureClass: 'permanent' },
      message: expect.stringContaining(option),
    });
    const { receipt } = await printed(bytes, { ...options, unsupported: 'ignore' });

    expect(receipt?.ignored).toContainEqual({ option, reason: expect.any(String) });
  });

  it('prints over TLS, and refuses a certificate that is not the named one', async () => {
    const secure = open(printer.address.replace('ipp:', 'ipps:'));
    const other = open(`${printer.address.replace('ipp:', 'ipps:')}?sha256=${'00'.repeat(32)}`);
    const wanted = request(await squarePdf(10, A4));
    await print(secure, wanted);

    expect((await printer.document(wanted.documentName)).format).toBe('application/pdf');
    expect(await other.state()).toMatchObject({
      online: false,
      trouble: expect.stringContaining('certificate'),
    });
    await secure.close();
    await other.close();
  });

  describe('as a provider', () => {
    let folder: string;
    let provider: DirectPrinters;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ipp-'));
      provider = await DirectPrinters.open(folder, [{ name: 'office', address: printer.address }]);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const site = () => ({
      ...{ provider, printer: 'office', contentType: 'text' as const },
      printed: async () =>
        new Map(
          (await printer.taken()).map(({ jobName, bytes }) => [
            jobName.slice(jobName.indexOf('svc:')),
            bytes,
          ]),
        ),
    });
    printerProviderContract(site);
    numberingProviderContract(site);
  });

  describe('behind a connection that breaks', () => {
    let gate: Gate;
    let device: IppPrinter;
    let printer: IppEvePrinter;
    beforeEach(async () => {
      printer = await IppEvePrinter.start({ formats: ['application/pdf'] });
      gate = await Gate.open(printer.port);
      device = open(`ipp://127.0.0.1:${gate.port}/ipp/print`);
    });
    afterEach(async () => {
      await device.close();
      await gate.close();
      await printer.remove();
    });

    it('submits nothing if the printer is gone before the first byte', async () => {
      const wanted = request(await squarePdf(10, A4));
      const halfway = (): Promise<void> => gate.close();

      await expect(print(device, wanted, { halfway })).rejects.toMatchObject({
        ...{ name: 'NotSubmitted', failureClass: 'temporary' },
      });
    });

    it.each([1, 100, 5000, 200_000])('does not know the outcome after %i bytes', async (bytes) => {
      const filling = Buffer.concat([await squarePdf(10, A4), Buffer.alloc(500_000, '%')]);
      const wanted = request(filling);
      await device.admit(wanted, quietProgress());
      gate.cutAfter(bytes);
      const outcome = await device.submit(wanted, quietProgress()).catch((error: unknown) => error);

      expect(outcome).toBeInstanceOf(Error);
      expect(outcome).not.toMatchObject({ name: 'NotSubmitted' });
      expect(['empty', 'cancelled']).not.toContain((await device.find(wanted.documentName)).state);
    });
  });
}

/** A way to the printer that can be cut so many bytes after the beginning of a PDF. */
class Gate {
  private readonly sockets = new Set<Socket>();
  private left = Infinity;

  private constructor(private readonly server: Server) {}

  static async open(printer: number): Promise<Gate> {
    const server = createServer();
    const gate = new Gate(server);
    server.on('connection', (client) => gate.join(client, connect(printer, '127.0.0.1')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cutAfter(bytes: number): void {
    this.left = bytes;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, printer: Socket): void {
    let isDocument = false;
    for (const socket of [client, printer])
      this.sockets.add(
        socket.on('error', () => undefined).on('close', () => [client, printer].forEach((s) => s.destroy())),
      );
    printer.pipe(client);
    client.on('data', (data) => {
      const start = isDocument ? 0 : data.indexOf('%PDF-');
      isDocument ||= start >= 0;
      const passed = isDocument ? Math.min(data.length, start + this.left) : data.length;
      if (isDocument) this.left -= passed - start;
      printer.write(data.subarray(0, passed));
      if (this.left > 0) return;
      this.left = Infinity;
      printer.end();
      client.destroy();
    });
  }
}

function rasterPrinter(): void {
  let printer: IppEvePrinter;
  let device: IppPrinter;
  beforeAll(async () => {
    printer = await IppEvePrinter.start({ formats: ['image/pwg-raster'], isDuplex: true });
    device = open(printer.address);
  });
  afterAll(async () => {
    await device.close();
    await printer.remove();
  });

  it.each([300, 600])('draws pages at %i dpi, a dot for a dot', async (dpi) => {
    const options = { paper: A4_PAPER, scale: 'actual', resolution_dpi: dpi, duplex: 'long-edge' } as const;
    const wanted = request(await squarePdf(10, A4, A4), options);
    const { receipt } = await print(device, wanted);
    const { format, bytes } = await printer.document(wanted.documentName);
    const pages = rasterPages(bytes);

    expect([format, pages.length]).toEqual(['image/pwg-raster', 2]);
    for (const page of pages) {
      const { left, top, width, height } = page.ink();
      const [inset, edge] = [(10 / 25.4) * dpi, (20 / 25.4) * dpi];
      for (const [found, wished] of [
        [left, inset],
        [top, inset],
        [width, edge],
        [height, edge],
      ] as const)
        expect(Math.abs(found - wished)).toBeLessThanOrEqual(1);
      expect([page.get('dpiX'), page.get('duplex'), page.sizeName]).toEqual([dpi, 1, 'iso_a4_210x297mm']);
    }
    expect(receipt?.applied).toMatchObject({
      resolution_dpi: dpi,
      color: false,
      drawn_percent: 100,
      page_count: 2,
    });
  });

  it('shrinks pages that are larger than the sheet without any option', async () => {
    const wanted = request(await squarePdf(0, [420, 594]));
    const { receipt } = await print(device, wanted);

    expect(rasterPages((await printer.document(wanted.documentName)).bytes)).toHaveLength(1);
    expect(receipt?.applied).toMatchObject({ paper: 'na_letter_8.5x11in', scale: 'shrink' });
    expect(receipt?.applied.drawn_percent).toBeLessThan(50);
  });

  it('takes no text', async () => {
    expect((await device.state()).capabilities.content_types).toEqual(['pdf', 'raw']);
    const text = request(Buffer.from('Hello'), undefined, { contentType: 'text' });
    await expect(print(device, text)).rejects.toMatchObject({ failureCode: 'CONTENT_TYPE_NOT_SUPPORTED' });
  });
}

describeUnless(ippeveprinterMissing(), 'an IPP printer without a queue', () => {
  describe('that takes PDF', pdfPrinter);
  describe('that takes PWG raster', rasterPrinter);
});
