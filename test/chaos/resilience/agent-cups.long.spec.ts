import { PDFDocument } from 'pdf-lib';
import { CupsPrinters } from '../../../agent/printers/cups/cups-printers.js';
import { IppClient, ippServer } from '../../../agent/printers/ipp/ipp-client.js';
import { AgentProcess } from '../../kit/agent-process.js';
import { Cupsd, cupsdMissing, eventually } from '../../kit/cupsd.js';
import { FakeService } from '../../kit/fake-service.js';
import type { FakeJob, NewJob } from '../../kit/fake-service-jobs.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { describeUnless } from '../../kit/describe-unless.js';

const COMPLETED = ['spooled', 'spooler_completed'];

describeUnless(cupsdMissing(), 'printing through a real cupsd', cupsTests);

function cupsTests(): void {
  let cupsd: Cupsd;
  let service: FakeService;
  let agent: AgentProcess;

  beforeEach(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addQueue('desk');
    service = await FakeService.start();
    const { url, enrollmentToken } = service;
    agent = await AgentProcess.prepare(url, enrollmentToken, '--cups', '--cups-server', cupsd.address);
  });

  afterEach(async () => {
    await agent.remove();
    await service.stop();
    await cupsd.remove();
  });

  const print = (job: Partial<NewJob> = {}): FakeJob => service.print({ printerKey: 'cups:desk', ...job });
  const nameOf = (job: FakeJob): string => `svc:${job.jobId}:${job.fence}`;
  const said = (job: FakeJob): string[] => job.reports.map(({ type }) => type);
  const reported = (job: FakeJob, type: string): Promise<void> =>
    service.until(
      () => said(job).includes(type),
      `${type}, but ${said(job).join()}:\n${agent.output}`,
      20_000,
    );
  const begins = (times: number): Promise<void> =>
    eventually(async () => (await cupsd.begun()).length >= times);

  it('delivers a PDF to the backend unchanged, with the number of copies passed once', async () => {
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.alloc(300_000, 'x'),
      Buffer.from([0, 255, 10]),
    ]);
    const job = print({ contentType: 'pdf', copies: 3, bytes });
    agent.start();
    await reported(job, 'spooler_completed');

    expect(said(job)).toEqual(COMPLETED);
    expect(job.reports[0]).toMatchObject({ spooler_provider: 'cups', spooler_job_id: expect.any(String) });
    expect(await cupsd.printed()).toMatchObject([{ documentName: nameOf(job), copies: 3, bytes }]);
  });

  it('encodes text for its printer, and reports the letters that it replaced', async () => {
    const text = { encoding: 'cp852', line_ending: 'crlf', cut_after: true };
    const job = print({ contentType: 'text', copies: 2, bytes: Buffer.from('Żółć\n5 €'), text });
    agent.start();
    await reported(job, 'spooler_completed');

    const receipt = Buffer.from('1b401c2e1b7412bda288860d0a35204555520a1d564200', 'hex');
    expect(await cupsd.printed()).toMatchObject([
      { documentName: nameOf(job), copies: 1, bytes: Buffer.concat([receipt, receipt]) },
    ]);
    expect(job.reports[0]).toMatchObject({
      ignored: [{ option: 'text', reason: '€ (U+20AC) printed as EUR' }],
    });
  });

  it('draws text as a PDF for a printer that is set so', async () => {
    const job = print({ contentType: 'text', bytes: Buffer.from('Żółć'), text: { mode: 'pages' } });
    agent.start();
    await reported(job, 'spooler_completed');

    const [printed] = await cupsd.printed();
    expect(printed?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await PDFDocument.load(printed!.bytes)).getPageCount()).toBe(1);
  });

  it.each(['handing-off', 'during-submit'])(
    'proves that nothing was submitted after dying at %s',
    async (step) => {
      const job = print();
      agent.start('--simulate', `crash=${step}`);
      expect(await agent.end()).toMatchObject({ signal: 'SIGKILL' });
      agent.start();
      await reported(job, 'not_submitted');
      const next = print();
      await reported(next, 'spooler_completed');

      expect(said(job)).toEqual(['not_submitted']);
      expect(await cupsd.begun()).toEqual([nameOf(next)]);
    },
  );

  it.each(['after-submit', 'before-report', 'after-report', 'before-result'])(
    'finds the document that it submitted before dying at %s',
    async (step) => {
      const job = print();
      agent.start('--simulate', `crash=${step}`);
      expect(await agent.end()).toMatchObject({ signal: 'SIGKILL' });
      agent.start();
      await reported(job, 'spooler_completed');

      expect(said(job)).toEqual(COMPLETED);
      expect(await cupsd.begun()).toEqual([nameOf(job)]);
    },
  );

  it('reports the end of a job that printed while the agent was dead', async () => {
    await cupsd.hold();
    const job = print();
    agent.start();
    await reported(job, 'spooled');
    await begins(1);
    await agent.kill('SIGKILL');
    agent.start();
    await cupsd.release();
    await reported(job, 'spooler_completed');

    expect(said(job)).toEqual(COMPLETED);
    expect(await cupsd.begun()).toEqual([nameOf(job)]);
  });

  it('reports a spooler restart when cupsd was killed during printing and lost the job', async () => {
    await cupsd.end('SIGTERM'); // Writes the new queue to disk; jobs younger than 30 s are not yet saved.
    await cupsd.boot();
    await cupsd.hold();
    const job = print();
    agent.start();
    await reported(job, 'spooled');
    await begins(1);
    await cupsd.end('SIGKILL');
    await cupsd.release();
    await cupsd.boot();
    await reported(job, 'spooler_vanished');

    expect(job.reports.at(-1)).toMatchObject({
      failure_code: 'SPOOLER_RESTARTED',
      failure_class: 'ambiguous',
    });
    await eventually(async () => (await cupsd.printed()).length === 1);
    expect(await cupsd.begun()).toEqual([nameOf(job)]);
  });

  it('reports a spooler restart when cupsd repeats a job from its first page, then its end', async () => {
    await cupsd.hold();
    const job = print();
    agent.start();
    await reported(job, 'spooled');
    await begins(1);
    await cupsd.end('SIGTERM');
    await cupsd.boot();
    await reported(job, 'spooler_vanished');
    await cupsd.release();
    await reported(job, 'spooler_completed');

    expect(said(job)).toEqual(['spooled', 'spooler_vanished', 'spooler_completed']);
    expect(job.reports[1]).toMatchObject({ failure_code: 'SPOOLER_RESTARTED' });
    expect(job.permits).toBe(1);
  });

  it('reports a spooler restart also if the agent was off when cupsd began to repeat the job', async () => {
    await cupsd.hold();
    const job = print();
    agent.start();
    await begins(1);
    await eventually(async () => (await agent.journal()).includes('"started":true'));
    await agent.kill('SIGKILL');
    await cupsd.end('SIGTERM');
    await cupsd.boot();
    agent.start();
    await reported(job, 'spooler_vanished');
    await cupsd.release();
    await reported(job, 'spooler_completed');

    expect(job.reports.find(({ type }) => type === 'spooler_vanished')).toMatchObject({
      failure_code: 'SPOOLER_RESTARTED',
    });
  });

  it('does not call a job unprinted that a killed cupsd had printed but saved as waiting', async () => {
    await cupsd.client('cupsdisable', 'desk');
    const job = print();
    agent.start();
    await reported(job, 'spooled');
    await agent.kill('SIGKILL');
    await cupsd.end('SIGTERM'); // Saves the job, and the queue as stopped.
    await cupsd.boot();
    await cupsd.hold();
    await cupsd.client('cupsenable', 'desk');
    await begins(1);
    await cupsd.end('SIGKILL');
    await cupsd.release();
    await cupsd.boot();
    await cupsd.client('cancel', '-a');
    agent.start();
    await reported(job, 'spooler_vanished');

    expect(job.reports.at(-1)).toMatchObject({
      failure_code: 'SPOOLER_RESTARTED',
      failure_class: 'ambiguous',
    });
    await eventually(async () => (await cupsd.printed()).length === 1);
  });

  it('does not call a job without its document unprinted once cupsd restarted', async () => {
    const job = print();
    agent.start('--simulate', 'crash=during-submit');
    await agent.end();
    await cupsd.end('SIGTERM');
    await cupsd.boot();
    agent.start();
    await reported(job, 'spooler_vanished');

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_code: 'SPOOLER_RESTARTED' }]);
    expect(await cupsd.begun()).toEqual([]);
  });

  it('reports an uncertain outcome when cupsd restarted after an interrupted hand-off', async () => {
    const job = print();
    agent.start('--simulate', 'crash=handing-off');
    await agent.end();
    await cupsd.end('SIGKILL');
    await cupsd.boot();
    agent.start();
    await reported(job, 'spooler_vanished');

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_code: 'SPOOLER_RESTARTED' }]);
    expect(await cupsd.begun()).toEqual([]);
  });

  it('warns of a queue that repeats failed jobs', async () => {
    await cupsd.client('lpadmin', '-p', 'desk', '-o', 'printer-error-policy=retry-job');
    agent.start();
    await eventually(() =>
      Promise.resolve(agent.output.includes('lpadmin -p desk -o printer-error-policy=abort-job')),
    );
    expect(agent.output.split('CUPS prints failed jobs again')).toHaveLength(2);
  });

  it('shows a stopped queue as offline while its job waits', async () => {
    const online = (): boolean | undefined =>
      service.inventory.find(({ printer_key }) => printer_key === 'cups:desk')?.online;
    agent.start();
    await service.until(() => online() === true, 'the queue');
    await cupsd.client('cupsdisable', 'desk');
    await service.until(() => online() === false, 'the stop');
    const job = print();
    await reported(job, 'spooled');
    await cupsd.client('cupsenable', 'desk');
    await service.until(() => online() === true, 'the start');
    await reported(job, 'spooler_completed');

    expect(await cupsd.begun()).toEqual([nameOf(job)]);
  });

  it('distinguishes a cancellation before the first page from one during printing', async () => {
    agent.start();
    await cupsd.client('cupsdisable', 'desk');
    const waiting = print();
    await reported(waiting, 'spooled');
    await cupsd.client('cancel', '-a');
    await reported(waiting, 'spooler_cancelled');
    expect(waiting.reports.at(-1)).toMatchObject({ failure_class: 'permanent' });
    expect(await cupsd.begun()).toEqual([]);

    await cupsd.hold();
    await cupsd.client('cupsenable', 'desk');
    const printing = print();
    await begins(1);
    await cupsd.client('cancel', '-a');
    await reported(printing, 'spooler_failed');
    expect(printing.reports.at(-1)).toMatchObject({
      failure_code: 'SPOOLER_CANCELLED_WHILE_PRINTING',
      failure_class: 'ambiguous',
    });
  });

  it('reports an uncertain outcome for a job that the backend aborted', async () => {
    await cupsd.exitWith(1);
    const job = print();
    agent.start();
    await reported(job, 'spooler_failed');

    expect(job.reports.at(-1)).toMatchObject({ failure_code: 'SPOOLER_ABORTED', failure_class: 'ambiguous' });
    expect(await cupsd.begun()).toEqual([nameOf(job)]);
  });

  it('reports that nothing was printed while cupsd is down, and shows its queues as offline', async () => {
    agent.start();
    await service.until(() => service.inventory.some(({ online }) => online), 'the queue');
    await cupsd.end('SIGTERM');
    const job = print();
    await reported(job, 'not_submitted');

    expect(job.reports).toMatchObject([{ failure_code: 'SPOOLER_UNAVAILABLE', failure_class: 'temporary' }]);
    const queue = { printer_key: 'cups:desk', online: false };
    await service.until(
      () => service.inventory.some((p) => p.printer_key === queue.printer_key && !p.online),
      'offline',
    );
  });

  it('does not print a document that arrives after its job was cancelled', async () => {
    const ipp = new IppClient(ippServer(cupsd.address));
    const printers = new CupsPrinters(ipp);
    let number = '';
    const late = { documentName: 'svc:late:1', printer: 'desk', contentType: 'raw', copies: 1 } as const;
    const progress = quietProgress({
      created: (spoolerJobId: string) => Promise.resolve(void (number = spoolerJobId)),
      halfway: () => printers.withdraw(number),
    });
    await printers.submit({ ...late, bytes: Buffer.from('late') }, progress).catch(() => undefined);
    const next = { ...late, documentName: 'svc:next:1', bytes: Buffer.from('next') };
    await printers.submit(next, quietProgress());
    await eventually(async () => (await cupsd.printed()).length === 1);

    expect(await printers.find(late.documentName)).toMatchObject({ state: 'cancelled', started: false });
    expect(await cupsd.begun()).toEqual(['svc:next:1']);
    await ipp.close();
  });
}
