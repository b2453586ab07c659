import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IppEvePrinter, ippeveprinterMissing } from '../../../test/kit/ippeveprinter.js';
import { eventually } from '../../../test/kit/polling.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { RawPrinter } from '../../../test/kit/raw-printer.js';
import { stalled } from '../../../test/kit/stalled.js';
import type { PrintRequest, SubmitProgress } from '../provider.js';
import { DirectPrinters } from './direct-printers.js';
import { SocketPort } from './socket-port.js';

let folder: string;
let device: RawPrinter;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'direct-'));
  device = await RawPrinter.start();
});
afterEach(async () => {
  await device.stop();
  await rm(folder, { recursive: true, force: true });
});

let documents = 0;
const open = (address: string): Promise<DirectPrinters> =>
  DirectPrinters.open(join(folder, 'records'), [{ name: 'label', address }]);
const document = (printer: string, bytes = Buffer.from('^XA^XZ')): PrintRequest => ({
  ...{ documentName: `svc:direct:${++documents}`, printer, contentType: 'raw', copies: 1, bytes },
});

describe('a printer that has two names', () => {
  it('gets one document at a time', async () => {
    const printers = await open(device.address);
    printers.assign([{ name: 'added', address: `${device.address}?status=none` }]);
    device.keepsOpen = true;
    await printers.submit(document('label'), quietProgress());
    const second = printers.submit(document('added'), quietProgress());
    await printers.inventory();

    expect(device.connections).toBe(1);
    device.release();
    device.keepsOpen = false;
    await second;
    expect(device.connections).toBe(2);
  });

  it('is asked as its new address says', async () => {
    const printers = await DirectPrinters.open(join(folder, 'records'), []);
    printers.assign([{ name: 'added', address: device.address }]);
    await printers.inventory();
    device.answer = () => Buffer.from([0x1a, 0x16, 0x12, 0x12]);
    printers.assign([{ name: 'added', address: `${device.address}?status=escpos` }]);

    expect(await printers.inventory()).toMatchObject([{ online: false, trouble: 'cover open, offline' }]);
  });
});

describe('a document that was withdrawn', () => {
  it('is withdrawn again after a restart, because the end of the job is not known', async () => {
    const request = document('label');
    const fails: SubmitProgress = quietProgress({ created: () => Promise.reject(new Error('disk full')) });
    const printers = await open(device.address);
    await expect(printers.submit(request, fails)).rejects.toThrow('disk full');
    const left = await printers.find(request.documentName);
    expect(left).toMatchObject({ state: 'empty' });
    await printers.withdraw('spoolerJobId' in left ? left.spoolerJobId : '');
    expect(await printers.find(request.documentName)).toMatchObject({ state: 'cancelled', started: false });

    const restarted = await open(device.address);
    expect(await restarted.find(request.documentName)).toEqual(left);
    await restarted.withdraw('spoolerJobId' in left ? left.spoolerJobId : '');
    expect(await restarted.find(request.documentName)).toMatchObject({ state: 'cancelled' });
  });
});

describe('a printer that never closes its side', () => {
  beforeEach(() => void (device.keepsOpen = true));

  it('has a document when the connection is left, with waiteof=false', async () => {
    const printers = await open(`${device.address}?waiteof=false`);
    const request = document('label');
    await printers.submit(request, quietProgress());

    expect(await printers.find(request.documentName)).toMatchObject({ state: 'completed' });
    expect(device.documents).toMatchObject([{ bytes: request.bytes, ended: true }]);
  });

  it('gets the end of the connection before the next document may begin', async () => {
    const port = new SocketPort(new URL(`${device.address}?waiteof=false`));
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const connection = await port.open(new AbortController().signal);
    await connection.write(Buffer.from('^XA^XZ'), quietProgress());
    const during = sockets();
    await (
      await connection.end(quietProgress())
    ).taken;

    expect(sockets()).toBe(during - 1);
  });
});

describe('a printer that stops reading', () => {
  it('has an unknown part of the document at the deadline', async () => {
    device.stallsAfter = 1;
    const printers = await open(device.address);
    const request = document('label', Buffer.alloc(32_000_000));
    const deadline = new AbortController();
    const { end } = await stalled((moved) =>
      printers.submit(request, quietProgress({ signal: deadline.signal, moved })),
    );
    deadline.abort(new Error('no progress'));

    await expect(end).rejects.toMatchObject({ name: 'Error', message: 'no progress' });
    expect(await printers.find(request.documentName)).toMatchObject({ state: 'aborted', started: true });
  });
});

describe('whether a printer takes documents', () => {
  const takes = async (printers: DirectPrinters): Promise<unknown[]> =>
    (await printers.inventory()).map(({ takesDocuments }) => takesDocuments);

  it('is not known of one that only accepts connections', async () => {
    expect(await takes(await open(device.address))).toEqual([undefined]);
  });

  it('is denied while it holds a document, and shown once it has taken it', async () => {
    const printers = await open(device.address);
    device.keepsOpen = true;
    const { isTaken } = await printers.submit(document('label'), quietProgress());
    expect([isTaken, await takes(printers)]).toEqual([false, [false]]);

    device.release();
    await eventually('the end', async () => String(await takes(printers)) === 'taken' || undefined);
  });

  it('is not known after a document was cut', async () => {
    const printers = await open(device.address);
    await printers.submit(document('label'), quietProgress());
    expect(await takes(printers)).toEqual(['taken']);
    device.cut = { after: 1, by: 'reset' };
    await printers.submit(document('label'), quietProgress()).catch(() => undefined);

    await eventually('the cut', async () => String(await takes(printers)) === '' || undefined);
  });

  it('is not known once another document has begun', async () => {
    const printers = await open(device.address);
    await printers.submit(document('label'), quietProgress());
    const created = (): Promise<void> => Promise.reject(new Error('disk full'));
    await printers.submit(document('label'), quietProgress({ created })).catch(() => undefined);

    expect(await takes(printers)).toEqual([undefined]);
  });

  it('is shown by an answer at the port of its documents', async () => {
    device.answer = () => Buffer.from([0x12, 0x12, 0x12, 0x12]);
    expect(await takes(await open(`${device.address}?status=escpos`))).toEqual(['answers']);
  });
});

const missing = ippeveprinterMissing();
(missing ? describe.skip : describe)('an IPP printer that is gone', () => {
  it('fails the document as not submitted when the printer disappears, and keeps its capabilities', async () => {
    const printer = await IppEvePrinter.start({ formats: ['application/octet-stream'] });
    const printers = await open(printer.address);
    const [{ capabilities } = { capabilities: undefined }] = await printers.inventory();
    const halfway = (): Promise<void> => printer.remove();
    const submitted = printers.submit(document('label'), quietProgress({ halfway }));
    const error: unknown = await submitted.catch((cause: unknown) => cause);

    expect(error).toMatchObject({ name: 'NotSubmitted', failureClass: 'temporary' });
    expect(capabilities?.content_types).toEqual(['raw']);
    expect(await printers.inventory()).toMatchObject([{ online: false, capabilities }]);
  });
});
