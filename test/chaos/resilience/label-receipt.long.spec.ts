import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentProcess } from '../../kit/agent-process.js';
import { Cupsd, cupsdMissing, filtersMissing } from '../../kit/cupsd.js';
import { TestPartner } from '../../kit/partner.js';
import { eventually } from '../../kit/polling.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { rasterPpd } from '../../kit/raster-ppd.js';
import { ServiceProcess } from '../../kit/service-process.js';
import { framePdf } from '../../kit/square-pdfs.js';
import { describeUnless } from '../../kit/describe-unless.js';

const LABEL = [100, 150] as const;
const RESOLUTIONS = [203, 300, 305, 360, 600];

function labels(): void {
  let cupsd: Cupsd;
  let service: ServiceProcess;
  let agent: AgentProcess;

  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addPrinter('LABELS', rasterPpd([{ name: 'A4', size: [210, 297] }], RESOLUTIONS));
    service = await ServiceProcess.prepare();
    await service.start();
    const partner = await TestPartner.open(service);
    const account = await partner.account();
    const enrolment = await partner.call('POST', `/accounts/${account}/enrollments`, { json: {} });
    agent = await AgentProcess.prepare(service.url, String(enrolment.body.data!.enrollment_token));
    agent.start('--cups', '--cups-server', cupsd.address);
    await eventually('the printer', async () => {
      const printers = await partner.list(`/accounts/${account}/printers?status=online`);
      return printers.find(({ system_name: name }) => name === 'LABELS');
    });
    await writeFile(join(agent.stateFolder, 'label.pdf'), await framePdf(LABEL));
  });
  afterAll(async () => {
    await agent.remove();
    await service.remove();
    await cupsd.remove();
  });

  it.each(RESOLUTIONS)('has its own size to a dot at %i dpi, and the receipt says so', async (dpi) => {
    const file = join(agent.stateFolder, 'label.pdf');
    const asked = ['--scale', 'actual', '--resolution', String(dpi), '--wait'];
    const { code, stdout, stderr } = await service.rps(
      'job',
      'create',
      '--printer',
      'LABELS',
      ...asked,
      file,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { job_id, receipt } = JSON.parse(stdout) as { job_id: string; receipt: object };
    const applied = {
      drawn_percent: 100,
      scale: 'actual',
      sheet_mm: LABEL,
      resolution_dpi: dpi,
      page_count: 1,
    };
    expect(receipt).toMatchObject({ applied, ignored: [] });

    const bytes = await eventually('the label', () => cupsd.document(`svc:${job_id}:1`));
    const [page, ...others] = rasterPages(bytes);
    expect(others).toEqual([]);
    const { left, top, width, height } = page!.ink();
    const off = [left, top, width - (LABEL[0] / 25.4) * dpi, height - (LABEL[1] / 25.4) * dpi];
    expect({ dpi, off: off.filter((dots) => Math.abs(dots) > 1) }).toEqual({ dpi, off: [] });
  });
}

describeUnless(cupsdMissing() ?? filtersMissing(), 'a label of 100 x 150 mm, printed with rps', labels);
