import { JobScene } from '../kit/job-scene.js';
import { joined, type Browser } from '../kit/panel.js';
import { startTestService, type TestService } from '../kit/service.js';
import { itemsOf, verdict } from './asking.js';

describe('the queue of a printer', () => {
  let service: TestService;
  let scene: JobScene;
  let member: Browser;
  let stranger: Browser;
  beforeAll(async () => {
    service = await startTestService();
    const other = await JobScene.open(service, { slug: 'other' });
    ({ browser: stranger } = await joined(service, other.accountId, 'zoe', 'owner'));
  });
  let accounts = 0;
  beforeEach(async () => {
    scene = await JobScene.open(service, { slug: `shop-${++accounts}` });
    ({ browser: member } = await joined(service, scene.accountId, 'bea', 'developer'));
  });
  afterAll(() => service.close());

  const set = (settings: object, who = member) =>
    who.call('PATCH', `/panel/printers/${scene.printerId}`, settings);
  const actions = async () => itemsOf(await member.get('/panel/audit')).map(({ action }) => action);

  describe('paused', () => {
    it('keeps its jobs, takes new ones, and goes on when resumed', async () => {
      const jobId = await scene.create();
      expect((await set({ paused: true })).body.data).toMatchObject({ paused: true, status: 'online' });
      expect(await scene.agent.lease()).toEqual([]);
      const later = await scene.create();
      expect(await scene.agent.lease()).toEqual([]);
      const { data } = (await set({ paused: false })).body;
      expect(data).not.toHaveProperty('paused');
      expect((await scene.agent.lease()).map(({ job_id }) => job_id)).toEqual([jobId, later]);
    });

    it('lets a job that its Agent has finish', async () => {
      const jobId = await scene.create();
      const lease = await scene.lease('accepted');
      await set({ paused: true });
      await scene.agent.handoff(lease);
      await scene.agent.report(lease, 'spooler_completed');
      expect(await scene.job(jobId)).toMatchObject({ status: 'spooler_completed' });
    });

    it('wakes a waiting Agent when it is resumed', async () => {
      await set({ paused: true });
      const jobId = await scene.create();
      const waiting = scene.agent.lease(1, 20);
      await set({ paused: false });
      expect(await waiting).toMatchObject([{ job_id: jobId }]);
    });

    it('stays paused over inventories, and shows who paused it', async () => {
      await set({ paused: true });
      await scene.agent.start();
      const [listed] = itemsOf(await member.get('/svc-api-printers'));
      expect(listed).toMatchObject({ printer_id: scene.printerId, paused: true });
      expect(await actions()).toContain('PrinterUpdated');
      expect(verdict(await set({ paused: false }, stranger))).toBe('404 PRINTER_NOT_FOUND');
    });
  });
});
