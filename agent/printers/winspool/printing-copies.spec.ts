import type { PrintOptions } from '../../service/protocol.js';
import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { DrawnSheet } from '../../../test/kit/drawn-sheet.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { A4, pdfOf } from '../../../test/kit/sample-pdfs.js';
import type { Submitted } from '../provider.js';
import { WinspoolPrinters } from './winspool-printers.js';

describe('copies of a document on Windows', () => {
  let spooler: FakeWindowsSpooler;
  let printers: WinspoolPrinters;

  beforeEach(() => {
    spooler = new FakeWindowsSpooler();
    printers = new WinspoolPrinters(spooler, undefined, documentProcessesInMemory(spooler).processes);
  });

  const print = (options: Partial<PrintOptions>, bytes: Buffer, copies: number): Promise<Submitted> => {
    const document = { documentName: 'svc:a:1', printer: 'desk', contentType: 'pdf', bytes } as const;
    const request = { ...document, copies, options: { unsupported: 'refuse', ...options } as const };
    return printers.submit(request, quietProgress());
  };

  it.each<[Partial<PrintOptions>, number, string]>([
    [{ pages: '2-3,5-' }, 1, '2 3 5'],
    [{ pages: '4,9' }, 2, '4 4'],
    [{ pages: '1-2' }, 2, '1 2 1 2'],
    [{ pages: '1-2', collate: false }, 2, '1 1 2 2'],
    [{ pages: '1-3', duplex: 'long-edge' }, 2, '1 2 3 - 1 2 3'],
    [{ pages: '1-3', duplex: 'long-edge', collate: false }, 2, '1 2 1 2 3 - 3'],
  ])('prints %j in %d copies as %s', async (options, copies, expected) => {
    spooler.driver.facts = { ...spooler.driver.facts, copies: 1 };
    const widths = [100, 150, 200, 250, 300];
    const pdf = await pdfOf(...widths.map((width): [number, number] => [width, width]));
    const { receipt } = await print({ ...options, scale: 'fit' }, pdf, copies);

    const shown = spooler.drawn.map((strips, index) => {
      if (strips.length === 0) return '-';
      // The square of 100 points is the larger the smaller the page.
      const part = new DrawnSheet(spooler.sheets[index]!, strips).ink().width / spooler.sheet.printable.width;
      return widths.findIndex((width) => Math.abs(100 / width - part) < 0.02) + 1;
    });
    expect(shown.join(' ')).toBe(expected);
    expect(receipt?.applied.page_count).toBe(new Set(shown.filter((page) => page !== '-')).size);
  });

  const printed = async (
    options: Partial<PrintOptions>,
    copies = 3,
  ): Promise<[number, number[], number[]]> => {
    await print({ tray: 'Upper', ...options }, await pdfOf(A4, A4), copies);
    const modes = spooler.modes.map((mode) => mode ?? spooler.driver.settings);
    return [
      spooler.drawn.length,
      [...new Set(modes.map((mode) => mode.copies))],
      modes.map(({ collate }) => collate),
    ];
  };

  it('leaves them to a driver that makes and collates them', async () => {
    expect(await printed({})).toEqual([2, [3], [1, 1]]);
  });

  it('lets the driver repeat each page without collating', async () => {
    expect(await printed({ collate: false })).toEqual([2, [3], [0, 0]]);
  });

  it.each<[string, () => void]>([
    ['does not collate', () => (spooler.driver.facts = { ...spooler.driver.facts, collate: false })],
    ['makes fewer', () => (spooler.driver.facts = { ...spooler.driver.facts, copies: 2 })],
    ['does not confirm them', () => spooler.driver.stubborn.add('copies')],
    ['does not confirm their order', () => spooler.driver.stubborn.add('collate')],
  ])('repeats the pages if the driver %s', async (_, change) => {
    change();
    expect(await printed({})).toEqual([6, [1], [0, 0, 0, 0, 0, 0]]);
  });

  it('does not multiply them by those of the queue', async () => {
    spooler.driver.settings = { ...spooler.driver.settings, copies: 4 };
    await print({}, await pdfOf(A4), 2);
    expect(spooler.modes.map((mode) => mode?.copies)).toEqual([1, 1]);
  });
});
