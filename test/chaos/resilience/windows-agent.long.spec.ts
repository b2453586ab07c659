import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Cupsd } from '../../kit/cupsd.js';
import { FakeService } from '../../kit/fake-service.js';
import type { FakeJob, NewJob } from '../../kit/fake-service-jobs.js';
import { until } from '../../kit/polling.js';
import { inflatingPdf, vastImagePdf } from '../../kit/hostile-pdfs.js';
import { A4, pdfOf } from '../../kit/sample-pdfs.js';
import { windowsMissing, Wine } from '../../kit/windows/wine.js';
import { WindowsAgent } from '../../kit/windows/windows-agent.js';
import { describeUnless } from '../../kit/describe-unless.js';

/** On a busy machine a page may take until its limit, behind others. */
const DRAWN_WITHIN_MS = 170_000;
const COMPLETED = ['spooled', 'spooler_completed'];

describeUnless(windowsMissing(), 'printing through the Windows spooler', windowsTests);

function windowsTests(): void {
  let cupsd: Cupsd;
  let wine: Wine;
  let service: FakeService;
  let agent: WindowsAgent;

  beforeAll(async () => {
    cupsd = await Cupsd.start();
    for (const queue of ['desk', 'label']) await cupsd.addQueue(queue);
    wine = await Wine.start(cupsd.address);
  });
  beforeEach(async () => {
    service = await FakeService.start();
    agent = await WindowsAgent.prepare(wine, service.url, service.enrollmentToken);
  });
  afterEach(async () => {
    await agent.kill();
    await service.stop();
  });
  afterAll(async () => {
    await wine.remove();
    await cupsd.remove();
  });

  const print = (job: Partial<NewJob> = {}): FakeJob =>
    service.print({ printerKey: 'winspool:desk', contentType: 'raw', ...job });
  const nameOf = (job: FakeJob): string => `svc:${job.jobId}:${job.fence}`;
  const said = (job: FakeJob): string[] => job.reports.map(({ type }) => type);
  const heard = async (job: FakeJob, type: string, ms = 150_000): Promise<void> => {
    try {
      await service.until(() => said(job).includes(type), type, ms);
    } catch (error) {
      throw new Error(`${String(error)}, but ${said(job).join()}:\n${await agent.output()}`);
    }
  };
  /** Also on a busy machine, where the Agent takes long to start. */
  const bytesSpooled = (count: number) =>
    until('bytes in the spool', 150_000, async () => (await wine.spooledBytes()) >= count || undefined);
  const timesPrinted = async (job: FakeJob): Promise<number> =>
    (await cupsd.begun()).filter((name) => name === nameOf(job)).length;

  it('stores its credential so that only this computer can read it', async () => {
    agent.start('--once');
    await agent.end();
    const stored = await readFile(join(agent.stateFolder, 'credential.json'), 'utf8');
    expect(JSON.parse(stored)).toEqual({
      computer_id: expect.any(String),
      friendly_code: expect.any(String),
      protected_credential: expect.stringMatching(/^[A-Za-z0-9+/]{40,}=*$/),
    });
    const job = print();
    agent.start('--once');
    await agent.end();

    expect(said(job)).toEqual(COMPLETED);
  });

  it('proves that nothing was submitted after dying before StartDocPrinter', async () => {
    const job = print();
    agent.start('--simulate', 'crash=handing-off');
    await agent.end();
    agent.start();
    await heard(job, 'not_submitted');

    expect(said(job)).toEqual(['not_submitted']);
    expect(await timesPrinted(job)).toBe(0);
  });

  it('admits that the outcome is uncertain after dying before WritePrinter', async () => {
    const job = print();
    agent.start('--simulate', 'crash=during-submit');
    await agent.end();
    agent.start();
    await heard(job, 'spooler_vanished');

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
    expect(await timesPrinted(job)).toBe(0);
  });

  it('admits that the outcome is uncertain after dying inside WritePrinter', async () => {
    const bytes = Buffer.alloc(1_000_000, 'x');
    const job = print({ copies: 90, bytes });
    await wine.clearSpool();
    agent.start();
    await bytesSpooled(1);
    await agent.kill();
    const next = print();
    agent.start();
    await heard(job, 'spooler_vanished');
    await heard(next, 'spooler_completed');

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
    expect(await timesPrinted(job)).toBe(0);
  });

  it('draws a PDF once per copy, rejects a damaged one, and reports a removed queue', async () => {
    const lost = print({ printerKey: 'winspool:nowhere' });
    const damaged = print({ contentType: 'pdf', bytes: Buffer.from('%PDF-1.7\nnot a PDF') });
    const job = print({ contentType: 'pdf', copies: 2, bytes: await pdfOf(A4, A4) });
    agent.start();
    await heard(lost, 'not_submitted');
    await heard(damaged, 'rejected');
    await heard(job, 'spooler_completed');

    expect(lost.reports).toMatchObject([{ failure_code: 'SPOOLER_REFUSED', failure_class: 'temporary' }]);
    expect(damaged.reports).toMatchObject([
      { failure_code: 'CONTENT_TYPE_NOT_SUPPORTED', failure_class: 'permanent' },
    ]);
    expect(said(job)).toEqual(COMPLETED);
    const postScript = (await cupsd.output()).get(nameOf(job))?.toString('latin1');
    expect(postScript?.match(/^%%Page: /gm)).toHaveLength(4);
    expect([await timesPrinted(damaged), await timesPrinted(job)]).toEqual([0, 1]);
  });

  it('rejects a PDF that inflates once, and prints on', async () => {
    const bomb = print({ contentType: 'pdf', bytes: inflatingPdf() });
    const label = print({ printerKey: 'winspool:label' });
    agent.start();
    await heard(label, 'spooler_completed');
    await heard(bomb, 'rejected', DRAWN_WITHIN_MS);
    const next = print({ contentType: 'pdf', bytes: await pdfOf(A4) });
    await heard(next, 'spooler_completed');

    expect(bomb.reports).toMatchObject([{ failure_code: 'RENDER_FAILED', failure_class: 'permanent' }]);
    expect(bomb.permits).toBe(0);
    expect(said(next)).toEqual(COMPLETED);
    expect((await agent.output()).match(/"msg":"ready"/g)).toHaveLength(1);
  });

  it('prints labels while a page with a picture of 25,000 pixels is drawn', async () => {
    const slow = print({ contentType: 'pdf', bytes: vastImagePdf(25_000) });
    const labels = Array.from({ length: 5 }, () => print({ printerKey: 'winspool:label' }));
    agent.start();
    for (const label of labels) await heard(label, 'spooler_completed');
    expect(said(slow)).toEqual([]);
    await service.until(() => said(slow).length > 0, 'a result', DRAWN_WITHIN_MS);

    expect(['spooled', 'rejected']).toContain(said(slow)[0]);
    expect((await agent.output()).match(/"msg":"ready"/g)).toHaveLength(1);
  });

  it('admits that the outcome is uncertain after dying between StartDoc and the first page', async () => {
    const job = print({ contentType: 'pdf', bytes: await pdfOf(A4) });
    agent.start('--simulate', 'crash=during-submit');
    await agent.end();
    agent.start();
    await heard(job, 'spooler_vanished');

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
    expect(await timesPrinted(job)).toBe(0);
  });

  it('admits that the outcome is uncertain after dying between two pages', async () => {
    const job = print({ contentType: 'pdf', copies: 90, bytes: await pdfOf(A4, A4) });
    await wine.clearSpool();
    agent.start();
    // More than the heading of the document, less than its 180 pages.
    await bytesSpooled(100_000);
    await agent.kill();
    const next = print({ contentType: 'pdf', bytes: await pdfOf(A4) });
    agent.start();
    await heard(job, 'spooler_vanished');
    await heard(next, 'spooler_completed');

    expect(job.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
    expect(await timesPrinted(job)).toBe(0);
    expect(await timesPrinted(next)).toBe(1);
  });

  // The steps in between are those of every provider: agent-crash.long.spec.ts.
  it.each(['after-submit', 'before-result'])(
    'prints once and admits that the outcome is uncertain after dying at %s',
    async (step) => {
      const job = print();
      agent.start('--simulate', `crash=${step}`);
      await agent.end();
      agent.start();
      await heard(job, 'spooler_vanished');
      const next = print();
      await heard(next, 'spooler_completed');

      expect(job.reports.at(-1)).toMatchObject({ failure_class: 'ambiguous' });
      expect(await timesPrinted(job)).toBe(1);
      expect(job.permits).toBe(1);
    },
  );
}
