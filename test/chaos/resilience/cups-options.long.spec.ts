import { CupsPrinters } from '../../../agent/printers/cups/cups-printers.js';
import { IppClient, ippServer } from '../../../agent/printers/ipp/ipp-client.js';
import type { PrintRequest, Submitted } from '../../../agent/printers/provider.js';
import type { Capabilities, PrintOptions } from '../../../agent/service/protocol.js';
import { Cupsd, cupsdMissing, filtersMissing } from '../../kit/cupsd.js';
import { pdfInThisProcess } from '../../kit/pdf-tool.js';
import { eventually } from '../../kit/polling.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { rasterPages, type RasterPage } from '../../kit/raster-pages.js';
import { rasterPpd } from '../../kit/raster-ppd.js';
import { barPdf, squarePdf } from '../../kit/square-pdfs.js';
import { describeUnless } from '../../kit/describe-unless.js';

const A4 = [210, 297] as const;
const SHEETS = [
  { name: 'A4', size: A4 },
  { name: 'A5', size: [148, 210] },
  { name: '4x6', size: [101.6, 152.4] },
] as const;
const MARGIN = 4;

interface Outcome extends Submitted {
  readonly pages: RasterPage[];
}

function optionsOnCups(): void {
  let cupsd: Cupsd;
  let ipp: IppClient;
  let printers: CupsPrinters;
  let documents = 0;

  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addPrinter('office', rasterPpd(SHEETS, [300, 203, 600], MARGIN));
    await cupsd.addQueue('raw');
    ipp = new IppClient(ippServer(cupsd.address));
    printers = new CupsPrinters(ipp, pdfInThisProcess);
  });
  afterAll(async () => {
    await ipp.close();
    await cupsd.remove();
  });

  const request = (
    bytes: Buffer,
    options?: Partial<PrintOptions>,
    more?: Partial<PrintRequest>,
  ): PrintRequest => ({
    ...{
      documentName: `svc:options:${++documents}`,
      printer: 'office',
      contentType: 'pdf',
      copies: 1,
      bytes,
    },
    options: options && { unsupported: 'refuse', ...options },
    ...more,
  });
  const admit = (
    bytes: Buffer,
    options: Partial<PrintOptions>,
    more?: Partial<PrintRequest>,
  ): Promise<void> => printers.admit(request(bytes, options, more), quietProgress());
  const print = async (...document: Parameters<typeof request>): Promise<Outcome> => {
    const wanted = request(...document);
    await printers.admit(wanted, quietProgress());
    const submitted = await printers.submit(wanted, quietProgress());
    const bytes = await eventually('the output', async () => (await cupsd.output()).get(wanted.documentName));
    return { ...submitted, pages: rasterPages(bytes) };
  };
  const refusal = (option: string): object => ({
    ...{ name: 'NotSubmitted', failureCode: 'OPTION_NOT_SUPPORTED', failureClass: 'permanent' },
    message: expect.stringContaining(option),
  });
  /** Millimetres from the sheet's corner: raster holds only the part that can be printed on. */
  const inkOf = (page: RasterPage | undefined): number[] => {
    const { left, top, width, height } = page!.ink();
    const mm = (dots: number): number => (dots / page!.get('dpiX')) * 25.4;
    return [mm(left) + MARGIN, mm(top) + MARGIN, mm(width), mm(height)];
  };
  /** Ghostscript blackens each dot that a shape touches: up to two more in each direction. */
  const isNear = (values: number[], expected: number[]): void =>
    expected.forEach((value, index) => expect(Math.abs(values[index]! - value)).toBeLessThan(0.2));
  const barsOf = (pages: readonly RasterPage[]): number[] => pages.map((page) => Math.round(inkOf(page)[2]!));

  it('tells papers, trays, resolutions, margins and options of a queue', async () => {
    const inventory = await printers.inventory();
    const of = (key: string): Capabilities | undefined =>
      inventory.find(({ printer_key }) => printer_key === key)?.capabilities;

    expect(of('cups:office')).toMatchObject({
      ...{ color: true, duplex: true, trays: ['top', 'bottom'], resolutions_dpi: [203, 300, 600] },
      papers: expect.arrayContaining([
        'iso_a4_210x297mm',
        'na_index-4x6_4x6in',
        expect.stringMatching(/^custom_max_/),
      ]),
      margins_mm: { top: 4, right: 4, bottom: 4, left: 4 },
    });
    expect(of('cups:office')?.options?.sort()).toEqual([
      'collate',
      'color',
      'duplex',
      'orientation',
      'pages',
      'paper',
      'resolution_dpi',
      'rotate',
      'scale',
      'tray',
    ]);
    expect(of('cups:raw')).toMatchObject({ papers: [], trays: [], resolutions_dpi: [], options: ['pages'] });
  });

  it('leaves a document without options unchanged, and tells what the queue does with it', async () => {
    const bytes = await squarePdf(10, A4, A4);
    const raw = request(bytes, undefined, { printer: 'raw' });
    const { receipt } = await printers.submit(raw, quietProgress());
    await eventually('the output', async () => (await cupsd.output()).get(raw.documentName));

    expect((await cupsd.output()).get(raw.documentName)?.equals(bytes)).toBe(true);
    expect(receipt).toEqual({ applied: expect.objectContaining({ page_count: 2 }), ignored: [] });
    expect((await print(bytes)).receipt?.applied).toEqual({
      ...{ paper: 'iso_a4_210x297mm', duplex: 'one-sided', color: true, resolution_dpi: 300 },
      ...{ page_count: 2, sheet_mm: [210, 297] },
    });
  });

  it('applies paper, tray, duplex, colour and resolution', async () => {
    const { pages, receipt } = await print(await squarePdf(10, [101.6, 152.4]), {
      ...{ paper: { name: 'na_index-4x6_4x6in', width_mm: 101.6, height_mm: 152.4 }, tray: 'bottom' },
      ...{ duplex: 'short-edge', color: false, resolution_dpi: 203 },
    });
    const [page] = pages;

    expect(page?.sheet.map(Math.round)).toEqual([288, 432]);
    expect([page?.get('tray'), page?.get('duplex'), page?.get('tumble')]).toEqual([1, 1, 1]);
    expect([page?.get('bitsPerPixel'), page?.get('dpiX')]).toEqual([8, 203]);
    isNear(inkOf(page), [10, 10, 20, 20]);
    expect(receipt).toEqual({
      applied: {
        ...{
          paper: 'na_index-4x6_4x6in',
          tray: 'bottom',
          duplex: 'short-edge',
          color: false,
          scale: 'shrink',
        },
        ...{ resolution_dpi: 203, page_count: 1, sheet_mm: [101.6, 152.4], drawn_percent: 100 },
      },
      ignored: [],
    });
  });

  it('prints at the actual size from the corner of a sheet of the size of the page', async () => {
    const { pages, receipt } = await print(await squarePdf(5, [100, 50]), { scale: 'actual' });

    expect(pages[0]?.sheet.map(Math.round)).toEqual([283, 142].map((points) => expect.closeTo(points, -0.4)));
    isNear(inkOf(pages[0]), [5, 5, 20, 20]);
    expect(receipt?.applied).toMatchObject({ sheet_mm: [100, 50], scale: 'actual', drawn_percent: 100 });
  });

  it('tells that the margins cut something off', async () => {
    const { receipt } = await print(await squarePdf(0, A4), { scale: 'actual' });

    expect(receipt?.ignored).toEqual([{ option: 'scale', reason: expect.stringContaining('cut off') }]);
  });

  it('enlarges and shrinks pages into the printable area', async () => {
    const fitted = await print(await squarePdf(0, [148, 210]), { scale: 'fit' });
    const shrunk = await print(await squarePdf(0, [420, 594]), { scale: 'shrink' });
    const percent = ((210 - 2 * MARGIN) / 148) * 100;

    isNear(inkOf(fitted.pages[0]).slice(2), [(20 * percent) / 100, (20 * percent) / 100]);
    expect(fitted.receipt?.applied.drawn_percent).toBeCloseTo(percent, 1);
    expect(shrunk.receipt?.applied.drawn_percent).toBeCloseTo(((210 - 2 * MARGIN) / 420) * 100, 1);
  });

  it.each([
    [{ rotate: 180 }, A4, [210 - 30, 297 - 30]],
    [{ rotate: 90 }, [148, 105], [105 - 30 + 52.5, 10 + 74.5]],
    [{ orientation: 'landscape' }, [100, 150], [30 + 150 - 30, 98.5 + 10]],
    [{ orientation: 'landscape', scale: 'actual' }, [100, 150], [150 - 30, 10]],
  ] as const)('turns pages on A4 with %j', async (options, size, corner) => {
    const { pages } = await print(await squarePdf(10, size), {
      paper: { width_mm: 210, height_mm: 297 },
      ...options,
    });

    isNear(inkOf(pages[0]), [...corner, 20, 20]);
  });

  it('prints the chosen pages only', async () => {
    const { pages, receipt } = await print(await barPdf(A4, 10, 20, 30, 40, 50), { pages: '1,3-4' });

    expect(barsOf(pages)).toEqual([10, 30, 40]);
    expect(receipt?.applied.page_count).toBe(3);
  });

  it.each([
    [true, [10, 20, 10, 20]],
    [false, [10, 10, 20, 20]],
  ])('collates copies: %s', async (collate, bars) => {
    const { pages } = await print(await barPdf(A4, 10, 20), { collate }, { copies: 2 });

    expect(barsOf(pages)).toEqual(bars);
  });

  it('sets text on the sheet, tray and side that were asked for', async () => {
    const { pages } = await print(
      Buffer.from('Hello\n'),
      { paper: { width_mm: 148, height_mm: 210 }, tray: 'bottom', color: false },
      { contentType: 'text' },
    );

    expect(pages[0]?.sheet.map(Math.round)).toEqual([420, 595]);
    expect([pages[0]?.get('tray'), pages[0]?.get('bitsPerPixel')]).toEqual([1, 8]);
  });

  it.each([
    ['paper', { paper: { name: 'iso_a0_841x1189mm', width_mm: 841, height_mm: 1189 } }],
    ['tray', { tray: 'cellar' }],
    ['resolution_dpi', { resolution_dpi: 1200 }],
    ['pages', { pages: '7-' }],
    ['collate', { collate: false, duplex: 'long-edge' }],
  ] as const)('refuses %s that the queue cannot apply, or prints without it', async (option, options) => {
    const bytes = await squarePdf(10, A4);
    await expect(admit(bytes, options, { copies: 2 })).rejects.toMatchObject(refusal(option));
    const { receipt } = await print(bytes, { ...options, unsupported: 'ignore' }, { copies: 2 });

    expect(receipt?.ignored).toEqual([{ option, reason: expect.any(String) }]);
  });

  it('refuses the actual size if no sheet has the size of the pages', async () => {
    const large = await squarePdf(10, [600, 900]);

    await expect(admit(large, { scale: 'actual' })).rejects.toMatchObject(refusal('600 x 900 mm'));
    const { receipt } = await print(large, { scale: 'actual', unsupported: 'ignore' });
    expect(receipt?.ignored).toContainEqual({
      option: 'scale',
      reason: expect.stringContaining('600 x 900'),
    });
  });

  it('refuses everything but pages on a queue without filters', async () => {
    const bytes = await squarePdf(10, A4);
    const wishes = { scale: 'fit', duplex: 'long-edge', paper: { width_mm: 210, height_mm: 297 } } as const;

    await expect(admit(bytes, wishes, { printer: 'raw' })).rejects.toMatchObject(refusal('duplex'));
  });

  it('shows the title in the queue, and finds the document by its mark', async () => {
    const title = 'Rechnung 4711 – Müller/Söhne';
    const wanted = request(await squarePdf(10, A4), undefined, { title });
    await printers.submit(wanted, quietProgress());
    const printed = await eventually('the output', async () =>
      (await cupsd.printed()).find(({ documentName }) => documentName === wanted.documentName),
    );

    expect(printed.title).toBe(`Rechnung 4711 – Müller_Söhne ${wanted.documentName}`);
    expect(await printers.find(wanted.documentName)).toMatchObject({ state: 'completed' });
  });
}

describeUnless(cupsdMissing() ?? filtersMissing(), 'options on a real cupsd', optionsOnCups);
