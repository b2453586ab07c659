import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import type { PrintRequest, Submitted } from '../provider.js';
import { JobStatus } from './job-status.js';
import { WinspoolPrinters } from './winspool-printers.js';

const NAME = 'svc:a:1';
const ACCESS_DENIED = 5;
const UNREACHABLE = 1722;

describe('printing through the Windows spooler', () => {
  let spooler: FakeWindowsSpooler;
  let printers: WinspoolPrinters;
  let steps: string[];

  beforeEach(() => {
    spooler = new FakeWindowsSpooler(['other', 'desk']);
    printers = new WinspoolPrinters(spooler, undefined, documentProcessesInMemory(spooler).processes);
    steps = [];
  });

  const progress = quietProgress({
    created: async (id) => void steps.push(`created ${id} with ${spooler.jobs[0]?.bytes.length} bytes`),
    halfway: async () => void steps.push('halfway'),
  });
  const submit = (more: Partial<PrintRequest> = {}, during = progress): Promise<Submitted> =>
    printers.submit(
      {
        ...{ documentName: NAME, printer: 'desk', contentType: 'raw', copies: 1 },
        bytes: Buffer.from('label'),
        ...more,
      },
      during,
    );
  const failure = { name: 'NotSubmitted', failureClass: 'temporary' };

  it('names the job before it sends bytes', async () => {
    expect(await submit()).toEqual({ spoolerJobId: '1' });
    expect(steps).toEqual(['created 1 with 0 bytes', 'halfway']);
    expect(spooler.jobs[0]).toMatchObject({ queue: 'desk', info: { document: NAME } });
  });

  it('shows the title in the queue, and finds the document by its mark', async () => {
    await submit({ title: 'Lieferschein 12\n\u2028für Büro' });
    expect(spooler.jobs[0]?.info.document).toBe(`Lieferschein 12 für Büro ${NAME}`);
    expect(await printers.find(NAME)).toMatchObject({ state: 'waiting', spoolerJobId: '1' });
    const other = new WinspoolPrinters(spooler);
    expect(await other.find(NAME)).toMatchObject({ spoolerJobId: '1' });
    expect(await other.find('vc:a:1')).toEqual({ state: 'absent' });

    spooler.failing.set('WritePrinter', ACCESS_DENIED);
    await expect(submit({ documentName: 'svc:b:1', title: 'Other' })).rejects.toThrow();
    expect(spooler.jobs).toHaveLength(1);
  });

  it('repeats raw bytes within one document, however few the spooler accepts at once', async () => {
    spooler.accepts = 2;
    await submit({ copies: 3 });

    expect(spooler.jobs.map(({ bytes, pages }) => [bytes.toString(), pages])).toEqual([
      ['labellabellabel', 3],
    ]);
  });

  it.each([
    ['OpenPrinter desk', ACCESS_DENIED, 'SPOOLER_REFUSED'],
    ['StartDocPrinter', ACCESS_DENIED, 'SPOOLER_REFUSED'],
    ['StartPagePrinter', ACCESS_DENIED, 'SPOOLER_REFUSED'],
    ['StartDocPrinter', UNREACHABLE, 'SPOOLER_UNAVAILABLE'],
    ['epoch', ACCESS_DENIED, 'SPOOLER_REFUSED'],
  ])('submits nothing when %s fails with %s', async (call, code, failureCode) => {
    spooler.failing.set(call, code);
    await expect(submit()).rejects.toMatchObject({ ...failure, failureCode });

    expect(spooler.jobs).toEqual([]);
    expect(spooler.openHandles).toBe(0);
  });

  it('submits nothing to a queue that does not exist', async () => {
    await expect(submit({ printer: 'gone' })).rejects.toMatchObject(failure);
  });

  it('deletes the job when its number cannot be recorded', async () => {
    const full = new Error('disk full');
    await expect(submit({}, { ...progress, created: () => Promise.reject(full) })).rejects.toBe(full);

    expect(spooler.jobs).toEqual([]);
    expect(await printers.find(NAME)).toMatchObject({ state: 'cancelled', started: false });
  });

  it.each([['WritePrinter'], ['EndPagePrinter']])(
    'deletes the job when %s fails, and does not deny that pages may have been printed',
    async (call) => {
      spooler.failing.set(call, ACCESS_DENIED);
      await expect(submit()).rejects.toMatchObject({ name: 'SpoolerError' });

      expect(spooler.jobs).toEqual([]);
      expect(await printers.find(NAME)).toMatchObject({ state: 'aborted', started: true });
    },
  );

  it('stops when the spooler accepts no bytes', async () => {
    spooler.accepts = 0;
    await expect(submit()).rejects.toThrow('accepted no bytes');
    expect(spooler.jobs).toEqual([]);
  });

  it('leaves the job alone when the end of its document is uncertain', async () => {
    spooler.failing.set('EndDocPrinter', UNREACHABLE);
    await expect(submit()).rejects.toMatchObject({ name: 'SpoolerError' });

    expect(spooler.jobs).toHaveLength(1);
    spooler.remove();
    expect(await printers.find(NAME)).toEqual({ state: 'absent' });
    expect(spooler.openHandles).toBe(0);
  });

  describe('finding a document', () => {
    it('follows it from the queue to its end', async () => {
      await submit();
      expect(await printers.find(NAME)).toMatchObject({ state: 'waiting', started: false });
      spooler.set(JobStatus.printing);
      expect(await printers.find(NAME)).toMatchObject({ state: 'printing', started: true });
      spooler.remove();
      expect(await printers.find(NAME)).toMatchObject({ state: 'completed', spoolerJobId: '1' });
      expect(spooler.openHandles).toBe(0);
    });

    it('remembers an obstacle that it saw before the job left the queue', async () => {
      await submit();
      spooler.set(JobStatus.offline);
      await printers.find(NAME);
      spooler.remove();
      expect(await printers.find(NAME)).toEqual({ state: 'absent' });
    });

    it('reports a document as absent when its queue was removed', async () => {
      await submit();
      spooler.names.pop();
      expect(await printers.find(NAME)).toEqual({ state: 'absent' });
    });

    it('fails while the queue of the document cannot be asked', async () => {
      await submit();
      spooler.failing.set('OpenPrinter desk', UNREACHABLE);
      await expect(printers.find(NAME)).rejects.toThrow('1722');
    });

    it('calls a document absent that another run of the Agent submitted', async () => {
      await submit();
      spooler.remove();
      expect(await new WinspoolPrinters(spooler).find(NAME, '1')).toEqual({ state: 'absent' });
    });

    it('finds a document of another run of the Agent by its name in any queue', async () => {
      spooler.leave('other', 'svc:b:1', 0, 5);
      spooler.leave('desk', NAME, JobStatus.printing, 5);
      expect(await printers.find(NAME, '1')).toMatchObject({ state: 'printing', spoolerJobId: '2' });
    });

    it('fails for a numbered document when a queue cannot be asked', async () => {
      spooler.failing.set('OpenPrinter other', UNREACHABLE);
      await expect(printers.find(NAME, '1')).rejects.toThrow('1722');
      expect(await printers.find(NAME)).toEqual({ state: 'absent' });
    });

    it('forgets what it saw on request', async () => {
      await submit();
      spooler.remove();
      await printers.forget(NAME);
      expect(await printers.find(NAME)).toEqual({ state: 'absent' });
    });
  });

  describe('withdrawing a job without a document', () => {
    it('deletes it, and then knows that nothing was printed', async () => {
      spooler.leave('desk', NAME, JobStatus.spooling);
      expect(await printers.find(NAME, '1')).toEqual({ state: 'empty', spoolerJobId: '1' });
      await printers.withdraw('1');

      expect(spooler.jobs).toEqual([]);
      expect(await printers.find(NAME, '1')).toMatchObject({ state: 'cancelled', started: false });
    });

    it('keeps a job that received bytes since', async () => {
      spooler.leave('desk', NAME, JobStatus.spooling);
      await printers.find(NAME, '1');
      spooler.set(JobStatus.spooling, { size: 5 });
      await printers.withdraw('1');

      expect(spooler.jobs).toHaveLength(1);
      expect(await printers.find(NAME, '1')).toMatchObject({ state: 'aborted', started: true });
    });
  });
});
