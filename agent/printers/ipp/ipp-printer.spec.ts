import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { eventually, pause } from '../../../test/kit/polling.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import type { DrawRaster, WithPdf } from '../pdf/pdf-process.js';
import { NotSubmitted, type PrintRequest } from '../provider.js';
import { attribute, groupsOf } from './ipp-client.js';
import { decodeResponse, encodeRequest, Tag, type IppAttribute } from './ipp-message.js';
import { IppPrinter } from './ipp-printer.js';

const VALIDATE_JOB = 0x0004;
const CREATE_JOB = 0x0005;
const SEND_DOCUMENT = 0x0006;
const CANCEL_JOB = 0x0008;
const GET_JOB_ATTRIBUTES = 0x0009;
const GET_PRINTER_ATTRIBUTES = 0x000b;
const NAME_LENGTH = 40;

const PDF = [
  attribute('document-format-supported', Tag.mimeType, 'application/pdf'),
  attribute('printer-uuid', Tag.uri, 'urn:uuid:1'),
];
const RASTER = [
  attribute('document-format-supported', Tag.mimeType, 'image/pwg-raster'),
  attribute('media-default', Tag.keyword, 'iso_a4_210x297mm'),
  attribute('pwg-raster-document-resolution-supported', Tag.resolution, { x: 300, y: 300 }),
];

const request: PrintRequest = {
  ...{ documentName: 'svc:0197c2de:1', title: 'A title that is longer than what the printer keeps of it' },
  ...{ printer: 'office', contentType: 'pdf', copies: 1, bytes: Buffer.from('%PDF-') },
};

/** A printer of one job, which cuts names. */
class FakePrinter {
  facts: IppAttribute[] = PDF;
  sendStatus = 0;
  /** Does not read documents that are larger than its connection takes at once. */
  stalls = false;
  readonly operations: number[] = [];
  private jobName = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakePrinter> {
    const server = createServer((message, response) => {
      if (printer.stalls && Number(message.headers['content-length']) > 1_000_000) return;
      void buffer(message)
        .then((bytes) => response.end(printer.answer(bytes)))
        .catch(() => undefined);
    });
    const printer = new FakePrinter(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return printer;
  }

  get address(): URL {
    return new URL(`ipp://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(bytes: Buffer): Buffer {
    const { status: operation, groups } = decodeResponse(bytes);
    this.operations.push(operation);
    const [asked] = groupsOf({ status: 0, groups }, Tag.operation);
    if (operation === CREATE_JOB) this.jobName = String(asked?.get('job-name')?.[0]).slice(0, NAME_LENGTH);
    const job = [
      attribute('job-id', Tag.integer, 7),
      attribute('job-name', Tag.name, this.jobName),
      attribute('job-state', Tag.enum, 9),
    ];
    const answers: Record<number, { tag: number; attributes: IppAttribute[] }> = {
      [GET_PRINTER_ATTRIBUTES]: { tag: Tag.printer, attributes: this.facts },
      [CREATE_JOB]: { tag: Tag.job, attributes: job },
      [GET_JOB_ATTRIBUTES]: { tag: Tag.job, attributes: job },
    };
    const answer = answers[operation];
    const status = operation === SEND_DOCUMENT ? this.sendStatus : 0;
    return encodeRequest({ operation: status, groups: answer ? [answer] : [] });
  }
}

const withPdf: WithPdf = (_, use) =>
  use({
    pageSizes: () => Promise.resolve([[595, 842]]),
    arrange: (bytes) => Promise.resolve({ bytes, scale: 1, isCut: false }),
    checkDrawable: () => Promise.resolve(),
  });

describe('an IPP printer', () => {
  let printer: FakePrinter;
  let device: IppPrinter;
  let draw: DrawRaster;
  beforeEach(async () => {
    printer = await FakePrinter.start();
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
    let moves = 0;
    const moved = (): void => void moves++;
    const bytes = Buffer.alloc(32_000_000, '%');
    const submitted = device.submit({ ...request, bytes }, quietProgress({ signal: deadline.signal, moved }));
    submitted.catch(() => undefined);
    await eventually('the stall', async () => {
      const before = moves;
      await pause(100);
      return (moves > 3 && moves === before) || undefined;
    });
    deadline.abort(new Error('no progress'));

    await expect(submitted).rejects.toMatchObject({ name: 'Error', message: 'no progress' });
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
