import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeIppPrinter } from '../../../test/kit/fake-ipp-printer.js';
import { eventually } from '../../../test/kit/polling.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { stalled } from '../../../test/kit/stalled.js';
import { DirectPrinters } from '../direct/direct-printers.js';
import type { DrawRaster, WithPdf } from '../pdf/pdf-process.js';
import { NotSubmitted, type PrintRequest } from '../provider.js';
import { SpoolFolder } from '../spool-folder.js';
import { attribute } from './ipp-client.js';
import { Tag } from './ipp-message.js';
import { IppPrinter } from './ipp-printer.js';

const VALIDATE_JOB = 0x0004;
const CREATE_JOB = 0x0005;
const CANCEL_JOB = 0x0008;
const GET_PRINTER_ATTRIBUTES = 0x000b;

const RASTER = [
  attribute('document-format-supported', Tag.mimeType, 'image/pwg-raster'),
  attribute('media-default', Tag.keyword, 'iso_a4_210x297mm'),
  attribute('pwg-raster-document-resolution-supported', Tag.resolution, { x: 300, y: 300 }),
];

const request: PrintRequest = {
  ...{ documentName: 'svc:0197c2de:1', title: 'A title that is longer than what the printer keeps of it' },
  ...{ printer: 'office', contentType: 'pdf', copies: 1, bytes: Buffer.from('%PDF-') },
};

const withPdf: WithPdf = (_, use) =>
  use({
    pageSizes: () => Promise.resolve([[595, 842]]),
    arrange: (bytes) => Promise.resolve({ bytes, scale: 1, isCut: false }),
    checkDrawable: () => Promise.resolve(),
    needsDrawing: () => Promise.resolve(false),
    picturedPages: (bytes) => Promise.resolve(bytes),
  });

const large: PrintRequest = { ...request, bytes: Buffer.alloc(32_000_000, '%') };

describe('an IPP printer', () => {
  let printer: FakeIppPrinter;
  let device: IppPrinter;
  let draw: DrawRaster;
  beforeEach(async () => {
    printer = await FakeIppPrinter.start();
    device = new IppPrinter(printer.address, withPdf, (...args) => draw(...args));
  });
  afterEach(async () => {
    await device.close();
    await printer.stop();
  });

  const failure = (): Promise<unknown> =>
    device.submit(request, quietProgress()).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('cancels the job if drawing breaks off after the first bytes, and does not know the outcome', async () => {
    printer.facts = RASTER;
    const why = { message: 'it takes too much memory', failureCode: 'RENDER_FAILED' };
    draw = async function* () {
      yield await Promise.resolve(Buffer.from('RaS2'));
      throw new NotSubmitted(why.failureCode, why.message);
    };

    expect(await failure()).toMatchObject({ name: 'Error', message: why.message });
    expect(printer.operations.at(-1)).toBe(CANCEL_JOB);
    const aborted = { state: 'aborted', started: true, spoolerJobId: '7', ...why };
    expect(await device.find(request.documentName, '7')).toEqual(aborted);
  });

  it('refuses pages before the hand-off if nothing of them can be drawn', async () => {
    printer.facts = RASTER;
    const next = () => Promise.reject(new NotSubmitted('RENDER_FAILED', 'it takes too much memory'));
    draw = () => ({ [Symbol.asyncIterator]: () => ({ next }) });

    await expect(device.admit(request, quietProgress())).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'RENDER_FAILED' },
    });
    expect(printer.operations).not.toContain(CREATE_JOB);
  });

  it('draws the first part of the pages once, and stops drawing for a document that is given up', async () => {
    printer.facts = RASTER;
    const signals: AbortSignal[] = [];
    draw = async function* (signal) {
      signals.push(signal);
      yield await Promise.resolve(Buffer.from('RaS2'));
    };
    await device.admit(request, quietProgress());
    await device.submit(request, quietProgress());
    expect(signals).toHaveLength(1);

    await device.admit(request, quietProgress());
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await device.forget(request.documentName);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('cancels the job of a document that the printer stops reading, at the deadline', async () => {
    printer.stalls = true;
    const deadline = new AbortController();
    const submitted = await stalled((moved) =>
      device.submit(large, quietProgress({ signal: deadline.signal, moved })),
    );
    deadline.abort(new Error('no progress'));

    await expect(submitted.end).rejects.toMatchObject({ name: 'Error', message: 'no progress' });
    expect(printer.operations.at(-1)).toBe(CANCEL_JOB);
    const { documentName } = request;
    expect(await device.find(documentName, '7')).toMatchObject({ state: 'aborted', started: true });
  });

  it.each([0x0400, 0x0404, 0x0406, 0x040a, 0x0411, 0x0414])(
    'does not know the outcome if it answers the document with %i',
    async (status) => {
      printer.sendStatus = status;

      expect(await failure()).toMatchObject({ name: 'IppRefused', status });
      expect(printer.operations).not.toContain(CANCEL_JOB);
    },
  );

  it('refuses pages for a printer without a resolution that is equal in both directions', async () => {
    const unequal = attribute('pwg-raster-document-resolution-supported', Tag.resolution, { x: 600, y: 300 });
    for (const resolutions of [[], [unequal]]) {
      printer.facts = [...RASTER.slice(0, 2), ...resolutions];
      await expect(device.admit(request, quietProgress())).rejects.toMatchObject({
        ...{
          name: 'NotSubmitted',
          failureClass: 'permanent',
          message: expect.stringContaining('resolution'),
        },
      });
    }
    expect(printer.operations).not.toContain(VALIDATE_JOB);
  });

  it('tells what it last told while it does not answer', async () => {
    const before = await device.state();
    await printer.stop();

    expect(before).toMatchObject({ online: true, capabilities: { content_types: ['pdf'] } });
    expect(await device.state()).toEqual({ ...before, online: false, trouble: expect.any(String) });
  });

  it('moves on while the document is prepared', async () => {
    let moves = 0;
    let isReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (isReady = resolve));
    const pdf: WithPdf = (signal, use) => withPdf(signal, (tool) => ready.then(() => use(tool)));
    const slow = new IppPrinter(printer.address, pdf);
    const admitted = slow.admit(request, quietProgress({ moved: () => void moves++ }));
    await eventually('progress', async () => moves > 2 || undefined);
    isReady();
    await admitted;
    await slow.close();
  });

  it('refuses a document that breaks its reader as one that cannot be drawn', async () => {
    const broken = new NotSubmitted('RENDER_FAILED', 'Aborted', 'permanent');
    const pdf: WithPdf = (signal, use) =>
      withPdf(signal, (tool) => use({ ...tool, pageSizes: () => Promise.reject(broken) }));
    const reader = new IppPrinter(printer.address, pdf);
    const sheets: PrintRequest = { ...request, options: { paper: { name: 'A4' }, unsupported: 'ignore' } };
    await expect(reader.admit(sheets, quietProgress())).rejects.toBe(broken);
    await reader.close();
  });

  it('finds a document by its number if the printer cuts names, until it is forgotten', async () => {
    const { spoolerJobId } = await device.submit(request, quietProgress());
    const { documentName } = request;

    expect(await device.find(documentName, spoolerJobId)).toMatchObject({ state: 'completed' });
    expect(await device.find('svc:other:1', spoolerJobId)).toEqual({ state: 'absent' });
    await device.forget(documentName);
    expect(await device.find(documentName, spoolerJobId)).toEqual({ state: 'absent' });
  });

  it('prepares a document anew that was not kept', async () => {
    const looks = (): number => printer.operations.filter((one) => one === GET_PRINTER_ATTRIBUTES).length;
    await device.admit(request, quietProgress());
    await device.submit(request, quietProgress());
    expect(looks()).toBe(1);
    await device.admit({ ...request, documentName: 'svc:lost:1' }, quietProgress());
    await device.submit(request, quietProgress());
    expect(looks()).toBe(3);
  });
});

describe('a document at an IPP printer, after a restart of the Agent', () => {
  const name = request.documentName;
  let printer: FakeIppPrinter;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ipp-'));
    printer = await FakeIppPrinter.start();
    printer.facts = [attribute('document-format-supported', Tag.mimeType, 'application/octet-stream')];
  });
  afterEach(async () => {
    await printer.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const agent = (): Promise<DirectPrinters> =>
    DirectPrinters.open(folder, [{ name: 'office', address: printer.address.href }]);
  const raw = { title: undefined, contentType: 'raw' } as const;
  const cut = async (): Promise<void> => {
    printer.stalls = true;
    const killed = await agent();
    await stalled((moved) => killed.submit({ ...large, ...raw }, quietProgress({ moved })));
  };

  it.each([7, 9])('has an unknown outcome if it was cut, although the printer says %i', async (jobState) => {
    printer.jobState = jobState;
    await cut();

    expect(await (await agent()).find(name)).toMatchObject({ state: 'aborted', started: true });
  });

  it('is completed if the printer had all of it', async () => {
    printer.sendStatus = 0x0400;
    const failed = (await agent()).submit({ ...request, ...raw }, quietProgress());
    await expect(failed).rejects.toMatchObject({ name: 'IppRefused' });

    expect(await (await agent()).find(name)).toMatchObject({ state: 'completed' });
  });

  it('is what the printer says if an older Agent has sent it', async () => {
    await cut();
    const records = await SpoolFolder.open<object>(folder);
    const { isWhole: _, ...older } = (await records.read(name)) as { isWhole?: boolean };
    await records.write(name, older);

    expect(await (await agent()).find(name)).toMatchObject({ state: 'completed' });
  });
});
