import {
  numberingProviderContract,
  printerProviderContract,
} from '../../contract/printer-provider.contract.js';
import { eventually } from '../../kit/polling.js';
import { A4, lockedPdf, pdfOf } from '../../kit/sample-pdfs.js';
import { Cupsd } from '../../kit/cupsd.js';
import { quietProgress } from '../../kit/quiet-progress.js';
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
