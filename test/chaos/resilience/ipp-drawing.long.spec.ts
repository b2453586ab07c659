import { AgentProcess } from '../../kit/agent-process.js';
import { FakeService } from '../../kit/fake-service.js';
import type { FakeJob } from '../../kit/fake-service-jobs.js';
import { inflatingPdf } from '../../kit/hostile-pdfs.js';
import { IppEvePrinter, ippeveprinterMissing } from '../../kit/ippeveprinter.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { A4, pdfOf } from '../../kit/sample-pdfs.js';
import { describeUnless } from '../../kit/describe-unless.js';

const OFFICE = 'direct:Office';

function drawing(): void {
  let service: FakeService;
  let agent: AgentProcess;
  let printer: IppEvePrinter;

  beforeEach(async () => {
    service = await FakeService.start();
    printer = await IppEvePrinter.start({ formats: ['image/pwg-raster'] });
    agent = await AgentProcess.prepare(service.url, service.enrollmentToken);
    agent.start('--printer', `Office=${printer.address}`);
  });
  afterEach(async () => {
    await agent.remove();
    await printer.remove();
    await service.stop();
  });

  const print = (bytes: Buffer): FakeJob => service.print({ printerKey: OFFICE, contentType: 'pdf', bytes });
  const over = (job: FakeJob): Promise<void> =>
    service.until(() => job.phase === 'over', 'the end of the job', 60_000);

  it('fails once for a page that inflates, of which the printer learns nothing', async () => {
    const bad = print(inflatingPdf());
    const good = print(await pdfOf(A4));
    await over(bad);
    await over(good);

    expect(bad.reports).toEqual([
      expect.objectContaining({
        ...{ type: 'rejected', failure_code: 'RENDER_FAILED', failure_class: 'permanent' },
      }),
    ]);
    expect([bad.permits, good.reports.map(({ type }) => type)]).toEqual([
      0,
      ['spooled', 'spooler_completed'],
    ]);
    const taken = await printer.taken();
    expect(taken.map(({ bytes }) => rasterPages(bytes).length)).toEqual([1]);
  });
}

describeUnless(ippeveprinterMissing(), 'pages that are drawn for an IPP printer', drawing);
