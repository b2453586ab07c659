import { rgb } from 'pdf-lib';
import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { A4, drawnPdf, lockedPdf, pdfOf } from '../../../test/kit/sample-pdfs.js';
import type { PrintRequest, Submitted } from '../provider.js';
import { WinspoolPrinters } from './winspool-printers.js';

const NAME = 'svc:a:1';
const ACCESS_DENIED = 5;
const ACROSS: [number, number] = [A4[1], A4[0]];

describe('drawing documents for a Windows queue', () => {
  let spooler: FakeWindowsSpooler;
  let printers: WinspoolPrinters;

  beforeEach(() => {
    spooler = new FakeWindowsSpooler(['desk', 'direct']);
    const settings = { directPdf: ['direct'], textPages: ['desk'] };
    printers = new WinspoolPrinters(spooler, settings, documentProcessesInMemory(spooler).processes);
  });

  const quiet = quietProgress();
  const submit = (bytes: Buffer, more: Partial<PrintRequest> = {}, progress = quiet): Promise<Submitted> =>
    printers.submit(
      { documentName: NAME, printer: 'desk', contentType: 'pdf', copies: 1, bytes, ...more },
      progress,
    );

  const pageAt = (index = 0): DrawnSheet => new DrawnSheet(spooler.sheet, spooler.drawn[index] ?? []);
  const WHITE = 0xffffff;
  const RED = 0xff0000;

  it('names the job before it draws', async () => {
    const steps: string[] = [];
    const note = async (step: string): Promise<void> =>
      void steps.push(`${step} after ${spooler.drawn.length} pages`);
    await submit(
      await pdfOf(A4),
      {},
      quietProgress({ created: (id) => note(`created ${id}`), halfway: () => note('halfway') }),
    );

    expect(steps).toEqual(['created 1 after 0 pages', 'halfway after 0 pages']);
    expect(spooler.jobs[0]).toMatchObject({ queue: 'desk', info: { document: NAME }, pages: 1 });
    expect(spooler.openHandles).toBe(0);
  });

  it('draws all pages once per copy within one document', async () => {
    await submit(await pdfOf(A4, ACROSS), { copies: 3 });

    expect(spooler.jobs.map(({ pages }) => pages)).toEqual([6]);
    const reds = spooler.drawn.map((_, index) => pageAt(index).colorAt(0.05, 0.05) === RED);
    expect(reds).toEqual([true, false, true, false, true, false]);
  });

  it('draws colours from top to bottom', async () => {
    await submit(await pdfOf(A4));

    expect(pageAt().colorAt(0.05, 0.05)).toEqual(RED);
    expect(pageAt().colorAt(0.95, 0.05)).toEqual(WHITE);
    expect(pageAt().colorAt(0.05, 0.95)).toEqual(WHITE);
  });

  it('turns a page across the sheet clockwise', async () => {
    await submit(await pdfOf(ACROSS));

    expect(pageAt().colorAt(0.95, 0.05)).toEqual(RED);
    expect(pageAt().colorAt(0.05, 0.05)).toEqual(WHITE);
  });

  it('continues a band where the one above it ends', async () => {
    spooler.sheet = sheetOf([17, 17], 200);
    const bar = { x: 100, y: 0, width: 100, height: 1200, color: rgb(1, 0, 0) };
    await submit(await drawnPdf([1200, 1200], (sheet) => sheet.drawRectangle(bar)));

    const page = pageAt();
    const { left, right, top, height } = page.ink();
    expect(spooler.drawn[0]?.length).toBeGreaterThan(1);
    expect(height).toBe(spooler.sheet.printable.height);
    const isRed = (y: number): boolean => page.at(left, y) === RED && page.at(right - 1, y) === RED;
    expect(Array.from({ length: height }, (_, row) => isRed(top + row))).not.toContain(false);
  });

  it('leaves empty bands out, and ends the page', async () => {
    await submit(await drawnPdf(A4, () => undefined));

    expect(spooler.drawn).toEqual([[]]);
    expect(spooler.jobs[0]).toMatchObject({ pages: 1, bytes: Buffer.alloc(0) });
  });

  it.each([
    ['black and white for a printer of one colour', false, [0, WHITE]],
    ['colours for others', true, [RED, WHITE]],
  ])('draws %s', async (_, color, colors) => {
    spooler.sheet = { ...spooler.sheet, color };
    await submit(await pdfOf(A4));

    expect([...pageAt().colors()].sort((a, b) => a - b)).toEqual(colors);
  });

  it.each([true, false])('draws letters without gray edges (colour: %s)', async (color) => {
    spooler.sheet = { ...spooler.sheet, color };
    await submit(Buffer.from('SAW 1042'), { contentType: 'text' });

    expect(pageAt().colors()).toEqual(new Set([0, WHITE]));
    expect(spooler.drawn.flat().map(({ bits }) => bits)).toEqual([1]);
  });

  it.each<[string, PrintRequest['contentType'], () => Promise<Buffer>, string]>([
    ['damaged PDF', 'pdf', () => Promise.resolve(Buffer.from('%PDF-1.7\nnot a PDF')), 'damaged'],
    ['cut off PDF', 'pdf', async () => (await pdfOf(A4)).subarray(0, 300), 'damaged'],
    ['locked PDF', 'pdf', lockedPdf, 'protected by a password'],
    ['text of unknown characters', 'text', () => Promise.resolve(Buffer.from('\u001b@')), 'U+001B in line 1'],
  ])('refuses a %s before a job exists', async (_, contentType, document, reason) => {
    const refusal = {
      ...{
        name: 'NotSubmitted',
        failureCode: contentType === 'text' ? 'GLYPH_MISSING' : 'CONTENT_TYPE_NOT_SUPPORTED',
        failureClass: 'permanent',
      },
      message: expect.stringContaining(reason),
    };
    const bytes = await document();
    const request = { documentName: NAME, printer: 'desk', contentType, copies: 1, bytes };
    await expect(printers.admit(request, quiet)).rejects.toMatchObject(refusal);
    await expect(submit(bytes, { contentType })).rejects.toMatchObject(refusal);
    await expect(printers.admit({ ...request, printer: 'direct' }, quiet)).resolves.toBeUndefined();
    expect(spooler.jobs).toEqual([]);
    expect(spooler.openHandles).toBe(0);
  });

  it('refuses further attempts of a document that could not be drawn after the hand-off', async () => {
    const request = { documentName: NAME, printer: 'desk', contentType: 'pdf', copies: 1 } as const;
    await expect(submit(Buffer.from('%PDF-1.7'))).rejects.toMatchObject({ failureClass: 'permanent' });

    const again = { ...request, documentName: NAME.replace(/1$/, '2'), bytes: await pdfOf(A4) };
    await expect(printers.admit(again, quiet)).rejects.toMatchObject({ failureClass: 'permanent' });
    await expect(printers.admit({ ...again, documentName: 'svc:b:1' }, quiet)).resolves.toBeUndefined();
  });

  it.each(['CreateDC desk', 'StartDocPrinter'])('submits nothing when %s fails', async (call) => {
    spooler.failing.set(call, ACCESS_DENIED);
    const refusal = { name: 'NotSubmitted', failureCode: 'SPOOLER_REFUSED', failureClass: 'temporary' };
    await expect(submit(await pdfOf(A4))).rejects.toMatchObject(refusal);

    expect(spooler.jobs).toEqual([]);
    expect(spooler.openHandles).toBe(0);
  });

  it.each(['StartPagePrinter', 'StretchDIBits', 'EndPagePrinter'])(
    'deletes the job when %s fails, and does not deny that pages may have been printed',
    async (call) => {
      spooler.failing.set(call, ACCESS_DENIED);
      await expect(submit(await pdfOf(A4))).rejects.toMatchObject({ name: 'SpoolerError' });

      expect(spooler.jobs).toEqual([]);
      expect(await printers.find(NAME)).toMatchObject({ state: 'aborted', started: true });
    },
  );

  it('draws text for a printer that is set so, and sends it unchanged to others', async () => {
    const text = Buffer.from('one\ftwo');
    await submit(text, { contentType: 'text', copies: 2 });
    expect(spooler.jobs[0]).toMatchObject({ pages: 4 });
    expect(spooler.drawn.every((strips) => strips.length > 0)).toBe(true);

    await submit(text, { contentType: 'text', printer: 'direct' });
    expect(spooler.jobs[1]?.bytes.equals(text)).toBe(true);
  });

  it('draws text for a printer whose settings ask for pages', async () => {
    await submit(Buffer.from('Привет'), { contentType: 'text', printer: 'direct', text: { mode: 'pages' } });
    expect(pageAt().ink().width).toBeGreaterThan(0);
  });

  it('sends a PDF unchanged to a printer that takes PDF itself', async () => {
    const bytes = await pdfOf(A4);
    await submit(bytes, { printer: 'direct' });

    expect(spooler.drawn).toEqual([]);
    expect(spooler.jobs[0]?.bytes.equals(bytes)).toBe(true);
  });

  it('draws copies also for a printer that takes PDF itself', async () => {
    await submit(await pdfOf(A4), { printer: 'direct', copies: 2 });

    expect(spooler.jobs.map(({ pages }) => pages)).toEqual([2]);
    expect(spooler.drawn.length).toBeGreaterThan(1);
  });
});
