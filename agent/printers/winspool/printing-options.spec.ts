import { rgb } from 'pdf-lib';
import type { OptionName, PrintOptions } from '../../service/protocol.js';
import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { DrawnSheet } from '../../../test/kit/drawn-sheet.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { A4, drawnPdf, pdfOf } from '../../../test/kit/sample-pdfs.js';
import type { PrintRequest, Submitted } from '../provider.js';
import type { ModeChanges } from './device-mode.js';
import { sizeOf } from './driver-facts.js';
import { WinspoolPrinters } from './winspool-printers.js';

const POINTS_PER_MM = 72 / 25.4;
const inPoints = (width: number, height: number): [number, number] => [
  width * POINTS_PER_MM,
  height * POINTS_PER_MM,
];
const LABEL = inPoints(100, 150);
/** Nothing of it is cut off. */
const centredPdf = (size = A4): Promise<Buffer> =>
  drawnPdf(size, (page) =>
    page.drawRectangle({
      x: size[0] / 2,
      y: size[1] / 2,
      width: size[0] / 8,
      height: 10,
      color: rgb(1, 0, 0),
    }),
  );
const RED = 0xff0000;
const WHITE = 0xffffff;

describe('options of a document on Windows', () => {
  let spooler: FakeWindowsSpooler;
  let printers: WinspoolPrinters;

  beforeEach(() => {
    spooler = new FakeWindowsSpooler(['desk', 'direct']);
    const settings = { directPdf: ['direct'], textPages: ['desk'] };
    printers = new WinspoolPrinters(spooler, settings, documentProcessesInMemory(spooler).processes);
  });

  const quiet = quietProgress();
  let lastJob = 0;
  /** As the Agent does it: first admitted, then submitted. */
  const print = async (
    options: Partial<PrintOptions>,
    bytes: Buffer,
    more: Partial<PrintRequest> = {},
  ): Promise<Submitted> => {
    const request: PrintRequest = {
      ...{ documentName: `svc:${++lastJob}:1`, printer: 'desk', contentType: 'pdf', copies: 1, bytes },
      ...{ options: { unsupported: 'refuse', ...options } },
      ...more,
    };
    await printers.admit(request, quiet);
    return printers.submit(request, quiet);
  };
  const refusal = (text: string) => ({
    ...{ name: 'NotSubmitted', failureCode: 'OPTION_NOT_SUPPORTED', failureClass: 'permanent' },
    message: expect.stringContaining(text),
  });
  const sheetsPrinted = (): string[] =>
    spooler.sheets.map((sheet) => sizeOf(sheet).map(Math.round).join('x'));
  const pageAt = (index = 0): DrawnSheet =>
    new DrawnSheet(spooler.sheets[index] ?? spooler.sheet, spooler.drawn[index] ?? []);

  it.each<[PrintOptions['paper'], [number, number], string]>([
    [{ name: 'na_letter_8.5x11in', width_mm: 215.9, height_mm: 279.4 }, [215.9, 279.4], 'na_letter_8.5x11in'],
    [{ name: 'custom_shipping-label_100x150mm' }, [100, 150], 'custom_shipping-label_100x150mm'],
    [{ name: 'Shipping Label' }, [100, 150], 'custom_shipping-label_100x150mm'],
    [{ width_mm: 148, height_mm: 210 }, [148, 210], 'iso_a5_148x210mm'],
    [{ width_mm: 210, height_mm: 148 }, [148, 210], 'iso_a5_148x210mm'],
    [{ width_mm: 62, height_mm: 29 }, [62, 29], 'custom_paper_62x29mm'],
    [{ width_mm: 400, height_mm: 200 }, [200, 400], 'custom_paper_200x400mm'],
    [{ name: 'custom_a4-borderless_210x297mm' }, [210, 297], 'custom_a4-borderless_210x297mm'],
  ])('prints on %j', async (paper, exact, named) => {
    const { receipt } = await print({ paper }, await centredPdf());

    expect(sheetsPrinted()).toEqual([exact.map(Math.round).join('x')]);
    expect(receipt).toMatchObject({
      applied: { paper: named, sheet_mm: exact },
      ignored: [],
    });
  });

  it.each<[OptionName, Partial<PrintOptions>, ModeChanges]>([
    ['tray', { tray: 'Manual Feed' }, { defaultSource: 4 }],
    ['duplex', { duplex: 'long-edge' }, { duplex: 2 }],
    ['duplex', { duplex: 'short-edge' }, { duplex: 3 }],
    ['color', { color: true }, { color: 2 }],
    ['color', { color: false }, { color: 1 }],
    ['resolution_dpi', { resolution_dpi: 150 }, { printQuality: 150, yResolution: 150 }],
  ])('applies %s: %j', async (option, options, mode) => {
    const { receipt } = await print(options, await centredPdf());

    expect(spooler.modes).toMatchObject([mode]);
    expect(receipt).toMatchObject({ applied: options, ignored: [] });
    expect(receipt?.applied[option as 'tray']).toBeDefined();
  });

  it.each<[OptionName, Partial<PrintOptions>]>([
    ['paper', { paper: { name: 'iso_a0_841x1189mm' } }],
    ['paper', { paper: { name: 'Roll' } }],
    ['paper', { scale: 'actual' }],
    ['tray', { tray: 'Lower' }],
    ['resolution_dpi', { resolution_dpi: 600 }],
    ['pages', { pages: '5-' }],
  ])('refuses %s before a job exists, or prints without it: %j', async (option, options) => {
    const pdf = await pdfOf(inPoints(400, 600));
    await expect(print(options, pdf)).rejects.toMatchObject(refusal(`${option}: `));
    expect(spooler.jobs).toEqual([]);

    const { receipt } = await print({ ...options, unsupported: 'ignore' }, pdf);
    expect(receipt?.ignored).toContainEqual({ option, reason: expect.any(String) });
    expect(sheetsPrinted()).toEqual(['210x297']);
    expect(spooler.openHandles).toBe(0);
  });

  it.each<[OptionName, keyof ModeChanges, Partial<PrintOptions>]>([
    ['paper', 'paperWidth', { paper: { width_mm: 148, height_mm: 210 } }],
    ['paper', 'paperWidth', { paper: { width_mm: 62, height_mm: 29 } }],
    ['tray', 'defaultSource', { tray: 'Manual Feed' }],
    ['duplex', 'duplex', { duplex: 'long-edge' }],
    ['resolution_dpi', 'printQuality', { resolution_dpi: 150 }],
  ])('refuses %s, or names it as ignored, if the driver keeps its %s: %j', async (option, field, options) => {
    spooler.driver.stubborn.add(field);
    if (option === 'paper') spooler.driver.stubborn.add('paperSize');
    const pdf = await centredPdf();
    await expect(print(options, pdf)).rejects.toMatchObject(
      refusal(`${option}: the driver does not confirm it`),
    );
    expect(spooler.jobs).toEqual([]);

    const { receipt } = await print({ ...options, unsupported: 'ignore' }, pdf);
    expect(receipt?.ignored).toEqual([{ option, reason: 'the driver does not confirm it' }]);
  });

  it('refuses colours on a printer of one colour, and prints one side on a printer that has no other', async () => {
    spooler.sheet = { ...spooler.sheet, color: false };
    spooler.driver.facts = { ...spooler.driver.facts, color: false, duplex: false };
    await expect(print({ color: true }, await pdfOf(A4))).rejects.toMatchObject(refusal('color: '));

    const { receipt } = await print({ color: false, duplex: 'one-sided' }, await centredPdf());
    expect(receipt).toMatchObject({ applied: { color: false, duplex: 'one-sided' }, ignored: [] });
  });

  it('leaves a driver that fails to the hand-off, and refuses no option for that', async () => {
    spooler.failing.set('DeviceCapabilities desk', 1722);
    await expect(print({ tray: 'Upper' }, await pdfOf(A4))).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'SPOOLER_UNAVAILABLE', failureClass: 'temporary' },
    });
  });

  it('draws shades of grey without colours', async () => {
    const full = { x: 0, y: 0, width: A4[0], height: A4[1], color: rgb(1, 0, 0) };
    await print({ color: false }, await drawnPdf(A4, (page) => page.drawRectangle(full)));

    const [gray = 0] = [...pageAt().colors()].filter((color) => color !== WHITE);
    expect(gray % 0x010101).toBe(0);
    expect(gray).toBeGreaterThan(0);
  });

  describe('that scale', () => {
    it.each<[PrintOptions['scale'], number, [number, number], number]>([
      ['actual', 100, [0, 0], 39],
      ['shrink', 100, [217, 290], 39],
      ['fit', 189.5, [40, 25], 75],
    ])('%s: a label on A4 is drawn with %d %%', async (scale, percent, [left, top], edge) => {
      const paper = { name: 'iso_a4_210x297mm' };
      const square = { x: 0, y: LABEL[1] - 28.35, width: 28.35, height: 28.35, color: rgb(1, 0, 0) };
      const pdf = await drawnPdf(LABEL, (page) => page.drawRectangle(square));
      const { receipt } = await print({ scale, paper, unsupported: 'ignore' }, pdf);

      expect(receipt?.applied).toMatchObject({
        scale,
        drawn_percent: percent,
        resolution_dpi: 100,
        page_count: 1,
      });
      const ink = pageAt().ink();
      expect(Math.abs(ink.right - (left + edge))).toBeLessThanOrEqual(1);
      expect(Math.abs(ink.bottom - (top + edge))).toBeLessThanOrEqual(1);
    });

    it('actual takes a sheet of the size of each page', async () => {
      const pdf = await pdfOf(LABEL, A4, inPoints(62, 29), inPoints(297, 210), LABEL);
      const { receipt } = await print({ scale: 'actual' }, pdf);

      expect(sheetsPrinted()).toEqual(['100x150', '210x297', '62x29', '210x297', '100x150']);
      expect(receipt).toMatchObject({
        applied: { paper: 'custom_shipping-label_100x150mm', drawn_percent: 100, page_count: 5 },
      });
    });

    it('actual keeps the sheet of the queue if the page has its size', async () => {
      await print({ scale: 'actual' }, await pdfOf(A4));
      expect(spooler.calls).not.toContain('ResetDC');
    });
  });

  it.each<[string, [number, number], boolean]>([
    ['at the edge', [0, 0], true],
    ['in the middle', [200, 400], false],
  ])('names ink that is cut off: %s', async (_, [x, y], isCut) => {
    const pdf = await drawnPdf(A4, (page) => page.drawRectangle({ x, y, width: 100, height: 100 }));
    const reason = 'what lies outside the printable area is cut off';
    const ignored = isCut ? [{ option: 'scale', reason }] : [];
    expect((await print({ scale: 'actual' }, pdf)).receipt?.ignored).toEqual(ignored);
    const plain = { documentName: 'svc:plain:1', printer: 'desk', contentType: 'pdf', copies: 1 } as const;
    expect((await printers.submit({ ...plain, bytes: pdf }, quiet)).receipt?.ignored).toEqual(ignored);
  });

  // The red square is in the upper left corner of the page; the sheet is A4 upright.
  it.each<[Partial<PrintOptions>, [number, number], [number, number]]>([
    [{}, A4, [0.05, 0.05]],
    [{ rotate: 90 }, A4, [0.95, 0.3]],
    [{ rotate: 180 }, A4, [0.95, 0.95]],
    [{ rotate: 270 }, A4, [0.05, 0.72]],
    [{ rotate: 90 }, [A4[1], A4[0]], [0.95, 0.05]],
    [{ rotate: 270 }, [A4[1], A4[0]], [0.05, 0.95]],
    [{ orientation: 'portrait' }, [A4[1], A4[0]], [0.05, 0.3]],
    [{ orientation: 'landscape' }, [A4[1], A4[0]], [0.95, 0.05]],
    [{ orientation: 'landscape' }, A4, [0.95, 0.3]],
    [{ orientation: 'landscape', rotate: 180 }, [A4[1], A4[0]], [0.05, 0.95]],
  ])('turns the page by %j', async (options, size, [across, along]) => {
    await print(options, await pdfOf(size));
    const corners = [across, 1 - across].flatMap((x) =>
      [along, 1 - along].map((y) => pageAt().colorAt(x, y)),
    );
    expect(corners).toEqual([RED, WHITE, WHITE, WHITE]);
  });

  it('draws text on the chosen paper, across it, and on both sides', async () => {
    const options = {
      paper: { name: 'iso_a5_148x210mm' },
      duplex: 'long-edge',
      orientation: 'landscape',
    } as const;
    const text = Buffer.from(`${'x'.repeat(200)}\n`);
    const { receipt } = await print(options, text, { contentType: 'text' });

    expect(sheetsPrinted()).toEqual(['148x210']);
    expect(spooler.modes).toMatchObject([{ duplex: 2 }]);
    const { left, right, top, bottom } = pageAt().ink();
    // Lines of 75 characters run down the sheet.
    expect(bottom - top).toBeGreaterThan(700);
    expect(right - left).toBeLessThan(60);
    expect(receipt?.applied).toMatchObject({
      paper: 'iso_a5_148x210mm',
      drawn_percent: 100,
      duplex: 'long-edge',
    });
  });

  it('draws a PDF with options for a printer that takes PDF itself', async () => {
    await print({ duplex: 'long-edge' }, await pdfOf(A4), { printer: 'direct' });
    expect(spooler.drawn).toHaveLength(1);
  });

  it('refuses options of text that is not drawn, or names them as ignored', async () => {
    const text = { contentType: 'text', printer: 'direct' } as const;
    await expect(print({ duplex: 'long-edge' }, Buffer.from('x'), text)).rejects.toMatchObject(
      refusal('duplex: '),
    );

    const { receipt } = await print({ duplex: 'long-edge', unsupported: 'ignore' }, Buffer.from('x'), text);
    expect(receipt).toEqual({ applied: {}, ignored: [{ option: 'duplex', reason: expect.any(String) }] });
    expect(spooler.jobs[0]?.bytes.toString()).toBe('x');
  });

  it('checks only the pages that are printed', async () => {
    const moves: string[] = [];
    const progress = quietProgress({ moved: () => void moves.push('page') });
    const request = { documentName: 'svc:some:1', printer: 'desk', contentType: 'pdf', copies: 1 } as const;
    const options = { pages: '2', unsupported: 'refuse' } as const;
    await printers.admit({ ...request, options, bytes: await pdfOf(A4, A4, A4) }, progress);
    expect(moves).toHaveLength(1);
  });

  it('tells what became of a document without options', async () => {
    const request = { documentName: 'svc:plain:1', printer: 'desk', contentType: 'pdf', copies: 1 } as const;
    await printers.inventory();
    const { receipt } = await printers.submit({ ...request, bytes: await pdfOf(inPoints(420, 594)) }, quiet);

    expect(receipt).toEqual({
      applied: {
        ...{ paper: 'iso_a4_210x297mm', tray: 'Upper', duplex: 'one-sided', color: true, scale: 'shrink' },
        ...{ resolution_dpi: 100, page_count: 1, sheet_mm: [210, 297], drawn_percent: 47 },
      },
      ignored: [],
    });
  });
});
