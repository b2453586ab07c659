import { resolve } from 'node:path';
import { DocumentProcesses, forkServer } from '../../../agent/printers/winspool/document-processes.js';
import type * as PdfProcess from '../../../agent/printers/pdf/pdf-process.js';
import type { ServerProcess } from '../../../agent/printers/winspool/document-process.js';
import { WinspoolPrinters } from '../../../agent/printers/winspool/winspool-printers.js';
import type { PrintRequest } from '../../../agent/printers/provider.js';
import { FakeWindowsSpooler } from '../../kit/fakes/fake-windows-spooler.js';
import { dashedPdf, endlessPdf, inflatingPdf } from '../../kit/hostile-pdfs.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { A4, pdfOf } from '../../kit/sample-pdfs.js';

const PROGRAM = resolve('dist/agent/printers/winspool/document-program.js');
/** Starts the compiled program beside it. */
const PDF_PROCESS = resolve('dist/agent/printers/pdf/pdf-process.js');

describe('documents that are expensive to draw', () => {
  const started: ServerProcess[] = [];
  afterAll(() => started.forEach((process) => process.kill('SIGKILL')));
  const start = (program: string) => (): ServerProcess => {
    started.push(forkServer(true, program));
    return started.at(-1)!;
  };
  const printers = (limitSeconds?: number, program = PROGRAM) =>
    new WinspoolPrinters(
      new FakeWindowsSpooler(),
      { directPdf: [], textPages: ['desk'] },
      new DocumentProcesses(start(program), limitSeconds),
    );
  const admit = (asked: PrintRequest, by = printers()): Promise<void> => by.admit(asked, quietProgress());
  const request = (bytes: Buffer, more: Partial<PrintRequest> = {}): PrintRequest => ({
    ...{ documentName: 'svc:a:1', printer: 'desk', contentType: 'pdf', copies: 1 },
    bytes,
    ...more,
  });
  const refusal = { name: 'NotSubmitted', failureCode: 'RENDER_FAILED', failureClass: 'permanent' };

  it('refuses a PDF that takes too much memory, and draws the next one', async () => {
    const desk = printers();
    await expect(admit(request(inflatingPdf()), desk)).rejects.toMatchObject(refusal);
    await expect(admit(request(await pdfOf(A4)), desk)).resolves.toBeUndefined();
  });

  it.each<[string, Buffer, PrintRequest['contentType'], RegExp]>([
    ['a page that takes too long', endlessPdf(), 'pdf', /a page took more than 1 seconds/],
    ['a text of too many pages', Buffer.alloc(5_000_000, '\f'), 'text', /more than \d+ pages/],
  ])('refuses %s', async (_, bytes, contentType, reason) => {
    const refused = admit(request(bytes, { contentType }), printers(1));
    await expect(refused).rejects.toMatchObject({ ...refusal, message: expect.stringMatching(reason) });
  });

  it('refuses a page that takes too long to be checked for a printer without a queue', async () => {
    const { inOwnProcess } = (await import(PDF_PROCESS)) as typeof PdfProcess;
    const open = new AbortController().signal;
    const { moved } = quietProgress();
    const refused = inOwnProcess(open, (pdf) => pdf.checkDrawable(dashedPdf(), moved), 1_000);
    await expect(refused).rejects.toMatchObject(refusal);
    await expect(inOwnProcess(open, async (pdf) => pdf.checkDrawable(await pdfOf(A4), moved))).resolves.toBe(
      undefined,
    );
  });

  it('admits a large document in pieces', async () => {
    const pdf = await pdfOf(A4);
    const padded = Buffer.concat([pdf, Buffer.alloc(2_000_000, '\n')]);
    await expect(admit(request(padded))).resolves.toBeUndefined();
  });

  it('prints nothing while the drawing process cannot start', async () => {
    await expect(
      admit(request(await pdfOf(A4)), printers(undefined, `${PROGRAM}.missing`)),
    ).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'SPOOLER_UNAVAILABLE', failureClass: 'temporary' },
    });
  });
});
