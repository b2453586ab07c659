import { TestPartner } from '../../kit/partner.js';
import { serviceForAll } from '../../kit/service.js';
import { createJob, onePrinter, TestAgent, type Leased } from '../../kit/world.js';
import { idOf, itemsOf, jobOf, retry, verdict } from '../asking.js';

const PDF = { type: 'pdf', encoding: 'base64', data: Buffer.from('%PDF-1.7\n').toString('base64') };
const RAW = { type: 'raw', encoding: 'base64', data: Buffer.from('^XA^XZ').toString('base64') };
const CAPABILITIES = {
  content_types: ['pdf', 'raw', 'text'],
  color: false,
  duplex: true,
  papers: ['iso_a6_105x148mm', 'custom_min_25x25mm', 'custom_max_105x999mm'],
  trays: ['main', 'manual'],
  resolutions_dpi: [203],
  margins_mm: { top: 0, right: 1.5, bottom: 0, left: 1.5 },
  options: ['paper', 'tray', 'duplex', 'color', 'scale', 'pages', 'resolution_dpi'],
};
const labels = { ...onePrinter, capabilities: CAPABILITIES };
const options = { paper: 'A6', duplex: 'long-edge', scale: 'actual', pages: '1-3,7,10-' };
const receipt = {
  applied: {
    ...{ paper: 'iso_a6_105x148mm', tray: 'main', duplex: 'long-edge', color: false, scale: 'actual' },
    ...{ resolution_dpi: 203, page_count: 2, sheet_mm: [105, 148.5], drawn_percent: 99.5 },
  },
  ignored: [{ option: 'tray', reason: 'the driver chose' }],
};

describe('printing with options', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let accountId: string;
  let key: string;
  let agent: TestAgent;
  let printerId: string;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
    accountId = await partner.account();
    const made = await service.operate('POST', `/accounts/${accountId}/keys`, {
      scopes: ['jobs:create', 'jobs:read', 'jobs:retry', 'printers:read'],
    });
    key = String(made.api_key);
  });
  beforeEach(async () => {
    ({ agent, printerId } = await TestAgent.ready(service, accountId, [labels], ['options/1', 'unknown/9']));
  });

  const create = (more: object, idempotencyKey?: string) =>
    createJob(service, key, printerId, { content: PDF, ...more }, idempotencyKey);
  const createAsPartner = (more: object) => partner.print(accountId, printerId, { content: PDF, ...more });
  const partnerJob = async (jobId: string) =>
    (await partner.call('GET', `/accounts/${accountId}/jobs/${jobId}`)).body.data!;
  const leaseOne = async () => (await agent.lease(1))[0]!;
  const spool = async (lease: Leased, more: object) => {
    await agent.accept(lease);
    await agent.handoff(lease);
    return agent.report(lease, 'spooled', more);
  };

  describe('creating the job', () => {
    it('shows the options as given, on both surfaces', async () => {
      const { status, body } = await create({ options });
      expect([status, body.data!.options]).toEqual([201, options]);
      const made = await createAsPartner({ options: { paper: { width_mm: 50, height_mm: 30 } } });
      expect([made.status, made.body.data!.options]).toEqual([
        201,
        { paper: { width_mm: 50, height_mm: 30 } },
      ]);
    });

    it('shows no options where none were given', async () => {
      for (const created of [await create({}), await create({ options: {} }), await createAsPartner({})])
        expect(created.body.data).not.toHaveProperty('options');
    });

    it.each<[string, object]>([
      ['options.papers is not a known field', { options: { papers: 'A4' } }],
      ['options must be an object', { options: 'A4' }],
      [
        'options.paper must be a name of 1 to 120 characters, or width_mm and height_mm',
        { options: { paper: '' } },
      ],
      ['options.paper must be', { options: { paper: { width_mm: 100 } } }],
      ['options.paper must be', { options: { paper: { width_mm: 0.5, height_mm: 100 } } }],
      ['options.paper must be', { options: { paper: { width_mm: 5, height_mm: 5, depth_mm: 5 } } }],
      ['options.tray must be', { options: { tray: '' } }],
      ['options.duplex must be one of one-sided, long-edge, short-edge', { options: { duplex: 'yes' } }],
      ['options.color must be true or false', { options: { color: 'no' } }],
      ['options.scale must be one of actual, fit, shrink', { options: { scale: '50%' } }],
      ['options.orientation must be one of portrait, landscape', { options: { orientation: 'upright' } }],
      ['options.rotate must be one of 0, 90, 180, 270', { options: { rotate: 45 } }],
      ['options.collate must be true or false', { options: { collate: 1 } }],
      ['options.resolution_dpi must be an integer', { options: { resolution_dpi: 203.5 } }],
      ['options.unsupported must be one of refuse, ignore', { options: { unsupported: 'warn' } }],
      ...['0', '3-1', '1,1', '1-3,3', '2,1', '5-,7', '1 - 3', '-5', 'all', '1,'].map(
        (pages) =>
          ['options.pages must be ranges of pages in ascending order', { options: { pages } }] as [
            string,
            object,
          ],
      ),
      ['options.pages cannot be given for raw content', { content: RAW, options: { pages: '1' } }],
    ])('refuses with "%s": %j', async (message, more) => {
      for (const refused of [await create(more), await createAsPartner(more)]) {
        expect(refused.status).toBe(400);
        expect(refused.body.message).toContain(message);
      }
    });

    it('takes every valid form of pages', async () => {
      for (const pages of ['1', '1-1', '2-', '1,2,3-5,7-'])
        expect((await create({ options: { pages } })).status).toBe(201);
    });
  });

  describe('asking for what the printer cannot do', () => {
    it('is refused with the option and the allowed values', async () => {
      const wanted = { options: { paper: 'A4', resolution_dpi: 600, collate: false } };
      const message =
        'The printer can apply options.paper only as iso_a6_105x148mm, custom_min_25x25mm, custom_max_105x999mm. ' +
        'The printer cannot apply options.collate. The printer can apply options.resolution_dpi only as 203.';
      const refused = await create(wanted);
      expect([verdict(refused), refused.body.message]).toEqual(['409 SVC_OPTION_NOT_SUPPORTED', message]);
      const toPartner = await createAsPartner(wanted);
      expect([verdict(toPartner), toPartner.body.message]).toEqual(['409 OPTION_NOT_SUPPORTED', message]);
    });

    it('is left to the Agent with unsupported: ignore', async () => {
      const wanted = { paper: 'A4', collate: false, unsupported: 'ignore' };
      expect((await create({ options: wanted })).status).toBe(201);
      expect((await leaseOne()).options).toEqual({
        ...wanted,
        paper: { name: 'iso_a4_210x297mm', width_mm: 210, height_mm: 297 },
      });
    });

    it('is refused while the Agent knows no options, whatever it ignores', async () => {
      agent.features = ['other/1'];
      await agent.start();
      for (const unsupported of ['refuse', 'ignore'])
        expect(verdict(await create({ options: { unsupported, paper: 'A6' } }))).toBe(
          '409 SVC_AGENT_TOO_OLD',
        );
      expect(verdict(await createAsPartner({ options }))).toBe('409 AGENT_TOO_OLD');
      expect((await create({})).status).toBe(201);
    });

    it('is judged after the state and the content type of the printer', async () => {
      agent.features = [];
      await agent.start();
      await agent.inventory([{ ...labels, capabilities: { ...CAPABILITIES, content_types: ['text'] } }]);
      expect(verdict(await create({ options }))).toBe('409 SVC_CONTENT_TYPE_NOT_SUPPORTED');
      await agent.inventory([{ ...labels, online: false }]);
      expect(verdict(await create({ options }))).toBe('409 SVC_PRINTER_NOT_READY');
    });
  });

  describe('leasing the job', () => {
    it('carries the options, with the size of the paper and no further defaults', async () => {
      await create({ options });
      expect((await leaseOne()).options).toEqual({
        ...options,
        paper: { name: 'iso_a6_105x148mm', width_mm: 105, height_mm: 148 },
        unsupported: 'refuse',
      });
    });

    it.each(['leased', 'accepted'] as const)(
      'takes a %s job from an Agent that was downgraded',
      async (phase) => {
        await create({ options });
        const lease = await leaseOne();
        if (phase === 'accepted') await agent.accept(lease);
        const { job_id, lease_id, fence } = lease;
        agent.features = [];
        const { reconcile } = await agent.start([{ job_id, lease_id, fence, phase }]);
        expect(reconcile).toEqual([{ job_id, fence, verdict: 'abandon' }]);
        expect((await agent.accept(lease)).status).toBe(409);
        expect(await agent.lease()).toEqual([]);
        const { status, retry_state } = await jobOf(service, key, job_id);
        expect([status, retry_state]).toEqual(
          phase === 'leased' ? ['queued', 'none'] : ['failed', 'scheduled'],
        );
      },
    );
  });

  describe('the receipt', () => {
    it('is on the job, on both surfaces, and in its history', async () => {
      const jobId = idOf(await create({ options }));
      const lease = await leaseOne();
      expect(await jobOf(service, key, jobId)).not.toHaveProperty('receipt');
      expect((await spool(lease, receipt)).result).toBe('applied');
      const job = await jobOf(service, key, jobId);
      expect(job.receipt).toEqual(receipt);
      expect((await partnerJob(jobId)).receipt).toEqual(receipt);
      const line = job.history.find(({ event_type }) => event_type === 'job.sent_to_spooler') as object;
      expect(line).toMatchObject({ details: { receipt } });
    });

    it('is complete if the Agent reports one half, and absent without both', async () => {
      const { ignored } = receipt;
      for (const [said, shown] of [
        [{ ignored }, { applied: {}, ignored }],
        [{ applied: { page_count: 3 } }, { applied: { page_count: 3 }, ignored: [] }],
        [{}, undefined],
      ] as const) {
        const jobId = idOf(await create({ options }));
        await spool(await leaseOne(), said);
        expect((await jobOf(service, key, jobId)).receipt).toEqual(shown);
      }
    });

    it('ends with the attempt: a retried job has none, and keeps its options', async () => {
      const jobId = idOf(await create({ options }));
      const lease = await leaseOne();
      await spool(lease, receipt);
      await agent.report(lease, 'spooler_vanished');
      await agent.inventory([{ ...labels, capabilities: { ...CAPABILITIES, papers: ['iso_a4_210x297mm'] } }]);
      expect((await retry(service, key, jobId)).status).toBe(200);
      const job = await jobOf(service, key, jobId);
      expect(job).not.toHaveProperty('receipt');
      expect(job.options).toEqual(options);
      expect((await leaseOne()).options).toMatchObject({ duplex: 'long-edge' });
    });

    it.each([
      { ignored: Array.from({ length: 41 }, () => receipt.ignored[0]) },
      { ignored: [{ option: 'paper', reason: 'x'.repeat(241) }] },
      { ignored: [{ option: 'staple', reason: 'no' }] },
      { applied: { sheet_mm: [105] } },
      { applied: { page_count: -1 } },
      { applied: { drawn_percent: '100' } },
    ])('is refused as %j', async (said) => {
      await create({ options });
      expect(await spool(await leaseOne(), said)).toMatchObject({
        result: 'rejected',
        code: 'INVALID_REQUEST',
      });
    });
  });

  describe('the capabilities', () => {
    it('are shown on both surfaces', async () => {
      const shown = itemsOf(await service.call('GET', '/svc-api-printers', { as: key }));
      expect(shown.find(({ printer_id }) => printer_id === printerId)!.capabilities).toEqual(CAPABILITIES);
      const toPartner = await partner.list(`/accounts/${accountId}/printers`);
      expect(toPartner.find(({ printer_id }) => printer_id === printerId)!.capabilities).toEqual(
        CAPABILITIES,
      );
    });

    it.each([
      { trays: ['x'.repeat(121)] },
      { resolutions_dpi: [0] },
      { margins_mm: { top: 1, right: 1, bottom: 1 } },
      { options: ['x'.repeat(41)] },
    ])('are refused as %j', async (wrong) => {
      const printers = [{ ...labels, capabilities: { ...CAPABILITIES, ...wrong } }];
      expect(verdict(await agent.call('PUT', '/inventory', { json: { printers } }))).toBe(
        '400 INVALID_REQUEST',
      );
    });
  });
});
