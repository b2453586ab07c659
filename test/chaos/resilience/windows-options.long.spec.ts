import type { PrintRequest, Submitted } from '../../../agent/printers/provider.js';
import type { PrintOptions } from '../../../agent/service/protocol.js';
import { Cupsd } from '../../kit/cupsd.js';
import { eventually } from '../../kit/polling.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { A4, pdfOf } from '../../kit/sample-pdfs.js';
import { officePpd } from '../../kit/windows/office-ppd.js';
import { RemoteProvider } from '../../kit/windows/remote-provider.js';
import { windowsMissing, Wine } from '../../kit/windows/wine.js';
import { describeUnless } from '../../kit/describe-unless.js';

describeUnless(windowsMissing(), 'options of documents on Windows', windowsTests);

function windowsTests(): void {
  let cupsd: Cupsd;
  let wine: Wine;
  let provider: RemoteProvider;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addQueue('plain');
    await cupsd.addPrinter('desk', officePpd());
    wine = await Wine.start(cupsd.address);
    provider = await RemoteProvider.start(wine, 'plain');
  });
  afterAll(async () => {
    await provider.stop();
    await wine.remove();
    await cupsd.remove();
  });

  let lastJob = 0;
  const print = async (
    options: Partial<PrintOptions>,
    more: Partial<PrintRequest> = {},
  ): Promise<Submitted & { name: string }> => {
    const name = `svc:options-${++lastJob}:1`;
    const request: PrintRequest = {
      ...{ documentName: name, printer: 'desk', contentType: 'pdf', copies: 1, bytes: await pdfOf(A4) },
      ...{ options: { unsupported: 'refuse', ...options }, ...more },
    };
    await provider.admit(request);
    return { ...(await provider.submit(request, quietProgress())), name };
  };
  const printed = async (name: string): Promise<string> =>
    (await eventually('the document', async () => (await cupsd.output()).get(name))).toString('latin1');

  const features = (postScript: string): Record<string, string> =>
    Object.fromEntries(
      [...postScript.matchAll(/^%%BeginFeature: \*(\w+) (\w+)/gm)].map(([, name, value]) => [name, value]),
    );

  it('are listed with the printer, as its driver tells them', async () => {
    // An inventory does not wait for a slow driver; a later one has its answer.
    const capabilities = await eventually('the answer of the driver', async () => {
      const desk = (await provider.inventory()).find(({ name }) => name === 'desk');
      return desk?.capabilities.options && desk.capabilities;
    });

    expect(capabilities).toEqual({
      ...{ content_types: ['pdf', 'raw', 'text'], color: true, duplex: true, resolutions_dpi: [600] },
      papers: [
        ...['custom_min_99.8x149.9mm', 'custom_max_215.9x297mm'], // Wine offers free sizes, but takes none.
        ...['iso_a4_210x297mm', 'na_letter_8.5x11in', 'iso_a5_148x210mm', 'custom_label_99.8x149.9mm'],
      ],
      trays: expect.arrayContaining(['Upper Tray', 'Manual Feed']),
      margins_mm: { top: 4.2, right: 4.2, bottom: 4.2, left: 4.2 },
      options: [
        ...['color', 'scale', 'orientation', 'rotate', 'pages', 'collate'],
        ...['paper', 'tray', 'duplex', 'resolution_dpi'],
      ],
    });
  });

  it('reach the printer, and the receipt names them', async () => {
    const { name, receipt } = await print(
      {
        ...{ paper: { name: 'iso_a5_148x210mm' }, tray: 'Manual Feed', duplex: 'short-edge' },
        ...{ color: false, pages: '2-', scale: 'fit', resolution_dpi: 600 },
      },
      { bytes: await pdfOf(A4, A4, A4), copies: 2, title: 'Rechnung 12' },
    );
    const postScript = await printed(name);

    expect(features(postScript)).toMatchObject({
      PageSize: 'A5',
      InputSlot: 'Manual',
      Duplex: 'DuplexTumble',
    });
    expect(postScript).toContain(`%%Title: Rechnung 12 ${name}`);
    expect(postScript.match(/^%%Page: /gm)).toHaveLength(4);
    const colors = [...postScript.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) setrgbcolor/gm)];
    expect(colors.length).toBeGreaterThan(0);
    for (const [, red, green, blue] of colors) expect([green, blue]).toEqual([red, red]);
    expect(receipt).toEqual({
      applied: {
        ...{
          paper: 'iso_a5_148x210mm',
          tray: 'Manual Feed',
          duplex: 'short-edge',
          color: false,
          scale: 'fit',
        },
        ...{ resolution_dpi: 600, page_count: 2, sheet_mm: [148, 210], drawn_percent: expect.any(Number) },
      },
      ignored: [],
    });
  });

  it('take a sheet of its own size for each page with the scale actual', async () => {
    const label: [number, number] = [283, 425];
    const { name, receipt } = await print({ scale: 'actual' }, { bytes: await pdfOf(label, A4, label) });

    // Wine names the paper once, but places each page on its own sheet, from the upper edge.
    const heights = (await printed(name)).match(/^\d+ \d+ translate$(?=\n1 -1 scale)/gm);
    expect(heights).toEqual(['100 3441 translate', '100 6916 translate', '100 3441 translate']);
    expect(receipt?.applied).toMatchObject({ drawn_percent: 100, page_count: 3, sheet_mm: [99.8, 149.9] });
  });

  it('are refused, or named as ignored, if the driver has no such paper, tray or resolution', async () => {
    const wishes = { paper: { width_mm: 62, height_mm: 29 }, tray: 'Lower', resolution_dpi: 1200 } as const;
    await expect(print(wishes)).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'OPTION_NOT_SUPPORTED', failureClass: 'permanent' },
      message: expect.stringContaining('62x29mm'),
    });
    await expect(print({ scale: 'actual' }, { bytes: await pdfOf([400, 300]) })).rejects.toMatchObject({
      failureCode: 'OPTION_NOT_SUPPORTED',
    });

    const { name, receipt } = await print({ ...wishes, unsupported: 'ignore' });
    expect(features(await printed(name))).toMatchObject({ PageSize: 'A4' });
    expect(receipt?.ignored.map(({ option }) => option)).toEqual([
      'tray',
      'resolution_dpi',
      'paper',
      'scale',
    ]);
  });
}
