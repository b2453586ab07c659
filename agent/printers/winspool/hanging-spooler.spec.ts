import {
  documentProcessesInMemory,
  type DocumentProcessInMemory,
} from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { eventually } from '../../../test/kit/polling.js';
import { A4, pdfOf } from '../../../test/kit/sample-pdfs.js';
import type { PrintRequest, Submitted } from '../provider.js';
import { QueueQuestions } from './queue-questions.js';
import { WinspoolPrinters } from './winspool-printers.js';

const NAME = 'svc:a:1';

describe('printing while a spooler call hangs', () => {
  let spooler: FakeWindowsSpooler;
  let started: DocumentProcessInMemory[];
  let printers: WinspoolPrinters;
  let deadline: AbortController;

  beforeEach(() => {
    spooler = new FakeWindowsSpooler(['desk', 'label']);
    const memory = documentProcessesInMemory(spooler);
    ({ started } = memory);
    printers = new WinspoolPrinters(spooler, undefined, memory.processes, new QueueQuestions(20));
    deadline = new AbortController();
  });

  const request: PrintRequest = {
    ...{ documentName: NAME, printer: 'desk', contentType: 'raw', copies: 1 },
    bytes: Buffer.from('label'),
  };
  const submit = (more: Partial<PrintRequest> = {}): Promise<Submitted> =>
    printers.submit({ ...request, ...more }, quietProgress({ signal: deadline.signal }));
  const begun = (call: string) => eventually(call, async () => spooler.calls.includes(call) || undefined);

  it.each(['OpenPrinter desk', 'StartDocPrinter', 'StartPagePrinter'])(
    'submits nothing if %s hangs until the deadline',
    async (call) => {
      spooler.hanging.add(call);
      const submitted = expect(submit()).rejects.toMatchObject({
        ...{ name: 'NotSubmitted', failureCode: 'SPOOLER_UNAVAILABLE', failureClass: 'temporary' },
      });
      await begun(call);
      deadline.abort();
      await submitted;

      expect(started.every(({ isRunning }) => !isRunning)).toBe(true);
    },
  );

  it.each(['WritePrinter', 'EndPagePrinter'])(
    'deletes the job and admits that pages may have been printed if %s hangs until the deadline',
    async (call) => {
      spooler.hanging.add(call);
      const submitted = expect(submit()).rejects.toMatchObject({ name: 'Error' });
      await begun(call);
      deadline.abort();
      await submitted;

      expect(spooler.jobs).toEqual([]);
      expect(await printers.find(NAME)).toMatchObject({ state: 'aborted', started: true });
    },
  );

  it('leaves the job alone if EndDocPrinter hangs until the deadline', async () => {
    spooler.hanging.add('EndDocPrinter');
    const submitted = expect(submit()).rejects.toMatchObject({ name: 'Error' });
    await begun('EndDocPrinter');
    deadline.abort();
    await submitted;

    expect(spooler.jobs).toHaveLength(1);
  });

  it('reports each chunk, band and page that the spooler took', async () => {
    let moves = 0;
    const progress = quietProgress({ moved: () => void moves++ });
    await printers.submit({ ...request, bytes: Buffer.alloc(600_000) }, progress);
    expect(moves).toBe(3);

    const pdf = { documentName: 'svc:b:1', contentType: 'pdf', bytes: await pdfOf(A4) } as const;
    await printers.submit({ ...request, ...pdf }, progress);
    expect(moves).toBe(3 + spooler.drawn.length + 1);
  });

  it('reports each page of the check', async () => {
    let moves = 0;
    const pdf = { contentType: 'pdf', bytes: await pdfOf(A4, A4) } as const;
    await printers.admit({ ...request, ...pdf }, quietProgress({ moved: () => void moves++ }));
    expect(moves).toBe(2);
  });

  it('prints on another printer meanwhile, and starts a new process for the next document', async () => {
    spooler.hanging.add('OpenPrinter desk');
    const submitted = submit().catch(() => 'stuck');
    await begun('OpenPrinter desk');
    await submit({ documentName: 'svc:b:1', printer: 'label' });
    deadline.abort();
    expect(await submitted).toBe('stuck');
    spooler.hanging.clear();
    deadline = new AbortController();
    await submit({ documentName: 'svc:d:1' });

    expect(spooler.jobs.map(({ info }) => info.document)).toEqual(['svc:b:1', 'svc:d:1']);
  });

  it('starts one process for the raw documents of a printer', async () => {
    await submit();
    await submit({ documentName: 'svc:b:1' });
    expect(started).toHaveLength(1);
  });

  it('asks a queue that does not answer only once, and the others as before', async () => {
    await submit();
    await submit({ documentName: 'svc:b:1', printer: 'label' });
    spooler.hanging.add('EnumJobs desk');
    await expect(printers.find(NAME)).rejects.toThrow('the queue desk does not answer');
    await expect(printers.find(NAME)).rejects.toThrow('the queue desk does not answer');

    expect(spooler.calls.filter((call) => call === 'EnumJobs desk')).toHaveLength(1);
    expect(await printers.find('svc:b:1')).toMatchObject({ state: 'waiting' });
  });
});
