import type { PrintRequest, Submitted } from '../../../agent/printers/provider.js';
import type { PrintOptions } from '../../../agent/service/protocol.js';
import {
  numberingProviderContract,
  printerProviderContract,
} from '../../contract/printer-provider.contract.js';
import { eventually } from '../../kit/polling.js';
import { A4, lockedPdf, pdfOf } from '../../kit/sample-pdfs.js';
import { Cupsd } from '../../kit/cupsd.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { officePpd } from '../../kit/windows/office-ppd.js';
import { RemoteProvider } from '../../kit/windows/remote-provider.js';
import { windowsMissing, Wine } from '../../kit/windows/wine.js';
import { describeUnless } from '../../kit/describe-unless.js';

describeUnless(windowsMissing(), 'the printers of Windows', () => {
  let cupsd: Cupsd;
  let wine: Wine;
  let provider: RemoteProvider;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addQueue('desk');
    await cupsd.addQueue('label');
    await cupsd.addPrinter('office', officePpd());
    wine = await Wine.start(cupsd.address);
    provider = await RemoteProvider.start(wine, 'label');
  });
  afterAll(async () => {
    await provider.stop();
    await wine.remove();
    await cupsd.remove();
  });

  const site = () => ({ provider, printer: 'desk', printed: () => cupsd.output() });
  printerProviderContract(site);
  numberingProviderContract(site);

  const quiet = quietProgress();
  const printPdf = (documentName: string, bytes: Buffer, copies: number, printer = 'desk') =>
    provider.submit({ documentName, printer, contentType: 'pdf', copies, bytes }, quiet);
  const printed = (documentName: string): Promise<Buffer> =>
    eventually('the document', async () => (await cupsd.output()).get(documentName));

  it.each([
    [1, 2],
    [2, 4],
  ])('draws the two pages of a PDF %d times in one document', async (copies, pages) => {
    const name = `svc:pages:${copies}`;
    await printPdf(name, await pdfOf(A4, [A4[1], A4[0]]), copies);
    const postScript = (await printed(name)).toString('latin1');

    expect(postScript).toMatch(/^%!PS-Adobe/);
    expect(postScript).toContain(`%%Title: ${name}`);
    expect(postScript.match(/^%%Page: /gm)).toHaveLength(pages);
    expect(postScript).toContain(`%%Pages: ${pages}`);
    expect((await cupsd.begun()).filter((begun) => begun === name)).toHaveLength(1);
  });

  it('sends a PDF unchanged to a printer that takes PDF itself', async () => {
    const bytes = await pdfOf(A4);
    await printPdf('svc:direct:1', bytes, 1, 'label');

    expect((await printed('svc:direct:1')).equals(bytes)).toBe(true);
  });

  it('draws text for a printer that takes no text', async () => {
    const request = {
      documentName: 'svc:text:1',
      printer: 'label',
      contentType: 'text',
      copies: 1,
    } as const;
    await provider.submit({ ...request, bytes: Buffer.from('Grüße\fPage 2') }, quiet);

    const postScript = (await printed('svc:text:1')).toString('latin1');
    expect(postScript.match(/^%%Page: /gm)).toHaveLength(2);
  });

  it('draws nothing of a PDF whose number could not be recorded', async () => {
    const full = { ...quiet, created: () => Promise.reject(new Error('disk full')) };
    const request = { documentName: 'svc:full:1', printer: 'desk', contentType: 'pdf', copies: 1 } as const;
    await expect(provider.submit({ ...request, bytes: await pdfOf(A4) }, full)).rejects.toThrow('disk full');
    await printPdf('svc:after-full:1', await pdfOf(A4), 1);
    await printed('svc:after-full:1');

    expect(await provider.find('svc:full:1')).toMatchObject({ state: 'cancelled', started: false });
    expect(await cupsd.begun()).not.toContain('svc:full:1');
  });

  it('refuses a PDF with a password', async () => {
    await expect(printPdf('svc:locked:1', await lockedPdf(), 1)).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'CONTENT_TYPE_NOT_SUPPORTED', failureClass: 'permanent' },
    });
    expect(await provider.find('svc:locked:1')).toEqual({ state: 'absent' });
  });

  describe('of which documents want options', () => {
    let lastJob = 0;
    const print = async (
      options: Partial<PrintOptions>,
      more: Partial<PrintRequest> = {},
    ): Promise<Submitted & { name: string }> => {
      const name = `svc:options-${++lastJob}:1`;
      const request: PrintRequest = {
        ...{ documentName: name, printer: 'office', contentType: 'pdf', copies: 1, bytes: await pdfOf(A4) },
        ...{ options: { unsupported: 'refuse', ...options }, ...more },
      };
      await provider.admit(request);
      return { ...(await provider.submit(request, quietProgress())), name };
    };
    const postScriptOf = async (name: string): Promise<string> => (await printed(name)).toString('latin1');

    const features = (postScript: string): Record<string, string> =>
      Object.fromEntries(
        [...postScript.matchAll(/^%%BeginFeature: \*(\w+) (\w+)/gm)].map(([, name, value]) => [name, value]),
      );

    it('are listed with the printer, as its driver tells them', async () => {
      // An inventory does not wait for a slow driver; a later one has its answer.
      const capabilities = await eventually('the answer of the driver', async () => {
        const office = (await provider.inventory()).find(({ name }) => name === 'office');
        return office?.capabilities.options && office.capabilities;
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
      const postScript = await postScriptOf(name);

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
      const heights = (await postScriptOf(name)).match(/^\d+ \d+ translate$(?=\n1 -1 scale)/gm);
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
      expect(features(await postScriptOf(name))).toMatchObject({ PageSize: 'A4' });
      expect(receipt?.ignored.map(({ option }) => option)).toEqual([
        'tray',
        'resolution_dpi',
        'paper',
        'scale',
      ]);
    });
  });

  it('identifies a run of the spooler service by its process and the start of that process', async () => {
    await wine.command('net', 'start', 'Spooler');
    const first = await provider.epoch();
    await wine.command('net', 'stop', 'Spooler');
    await wine.command('net', 'start', 'Spooler');

    expect(first).toMatch(/^[1-9]\d*@[1-9]\d{17}$/);
    expect(await provider.epoch()).toMatch(/^[1-9]\d*@[1-9]\d{17}$/);
    expect(await provider.epoch()).not.toBe(first);
  });
});
