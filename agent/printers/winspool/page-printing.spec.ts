import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { A4, lockedPdf, pdfOf } from '../../../test/kit/sample-pdfs.js';
import type { PrintRequest } from '../provider.js';
import { strideOf } from './page-layout.js';
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
  const submit = (bytes: Buffer, more: Partial<PrintRequest> = {}, progress = quiet): Promise<string> =>
    printers.submit(
      { documentName: NAME, printer: 'desk', contentType: 'pdf', copies: 1, bytes, ...more },
      progress,
    );

  /** Colour at a point of the drawn page, in fractions of its bitmap from the upper left corner. */
  const colorAt = (acrossPart: number, alongPart: number): number[] => {
    const { placement } = spooler.drawn[0] ?? {};
    if (!placement) throw new Error('nothing was drawn');
    const row = Math.floor(alongPart * placement.rows);
    const column = Math.floor(acrossPart * placement.columns);
    const at = spooler.drawn.find(({ band }) => row >= band.top && row < band.top + band.rows);
    const size = placement.color ? 3 : 1;
    const start = (row - (at?.band.top ?? 0)) * strideOf(placement) + column * size;
    return [...(at?.bitmap.subarray(start, start + size) ?? [])];
  };
  const WHITE = [255, 255, 255];
  const RED = [0, 0, 255];

  it('names the job before it draws', async () => {
    const steps: string[] = [];
    const note = async (step: string): Promise<void> =>
      void steps.push(`${step} after ${spooler.drawn.length} bands`);
    await submit(
      await pdfOf(A4),
      {},
      quietProgress({ created: (id) => note(`created ${id}`), halfway: () => note('halfway') }),
    );

    expect(steps).toEqual(['created 1 after 0 bands', 'halfway after 0 bands']);
    expect(spooler.jobs[0]).toMatchObject({ queue: 'desk', info: { document: NAME }, pages: 1 });
    expect(spooler.openHandles).toBe(0);
  });

  it('draws all pages once per copy within one document', async () => {
    await submit(await pdfOf(A4, ACROSS), { copies: 3 });

    expect(spooler.jobs.map(({ pages }) => pages)).toEqual([6]);
    const turns = spooler.drawn.filter(({ band }) => band.top === 0).map(({ placement }) => placement.turned);
    expect(turns).toEqual([false, true, false, true, false, true]);
  });

  it('draws rows from top to bottom, blue before green before red', async () => {
    await submit(await pdfOf(A4));

    expect(colorAt(0.05, 0.05)).toEqual(RED);
    expect(colorAt(0.95, 0.05)).toEqual(WHITE);
    expect(colorAt(0.05, 0.95)).toEqual(WHITE);
  });

  it('turns a page across the sheet clockwise', async () => {
    await submit(await pdfOf(ACROSS));

    expect(colorAt(0.95, 0.05)).toEqual(RED);
    expect(colorAt(0.05, 0.05)).toEqual(WHITE);
  });

  it('continues a band where the one above it ends', async () => {
    spooler.area = { width: 5000, height: 5000, dpiX: 300, dpiY: 300, color: true };
    await submit(await pdfOf([1200, 1200]));

    expect(spooler.drawn.length).toBeGreaterThan(5);
    expect(colorAt(0.04, 0.07)).toEqual(RED);
    expect(colorAt(0.04, 0.1)).toEqual(WHITE);
  });

  it('draws in gray for a printer of one colour', async () => {
    spooler.area = { ...spooler.area, color: false };
    await submit(await pdfOf(A4));

    const [red] = colorAt(0.05, 0.05);
    expect(red).toBeGreaterThan(20);
    expect(red).toBeLessThan(200);
    expect(colorAt(0.95, 0.95)).toEqual([255]);
  });

  it.each([
    ['without gray edges for a printer of one colour', false],
    ['with smooth edges for others', true],
  ])('draws letters %s', async (_, color) => {
    spooler.area = { ...spooler.area, color };
    await submit(Buffer.from('SAW 1042'), { contentType: 'text' });

    const shades = new Set(spooler.drawn.flatMap(({ bitmap }) => [...new Set(bitmap)]));
    expect(shades.has(0) && shades.has(255)).toBe(true);
    expect(shades.size > 2).toBe(color);
  });

  it.each<[string, PrintRequest['contentType'], () => Promise<Buffer>, string]>([
    ['damaged PDF', 'pdf', () => Promise.resolve(Buffer.from('%PDF-1.7\nnot a PDF')), 'damaged'],
    ['cut off PDF', 'pdf', async () => (await pdfOf(A4)).subarray(0, 300), 'damaged'],
    ['locked PDF', 'pdf', lockedPdf, 'protected by a password'],
    ['text of unknown characters', 'text', () => Promise.resolve(Buffer.from('Ж')), 'U+0416'],
  ])('refuses a %s before a job exists', async (_, contentType, document, reason) => {
    const refusal = {
      ...{ name: 'NotSubmitted', failureCode: 'CONTENT_TYPE_NOT_SUPPORTED', failureClass: 'permanent' },
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
    expect(spooler.drawn.some(({ bitmap }) => bitmap.includes(0))).toBe(true);

    await submit(text, { contentType: 'text', printer: 'direct' });
    expect(spooler.jobs[1]?.bytes.equals(text)).toBe(true);
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
