import { Cursors } from '../../src/http/cursors.js';
import { JobScene, sceneForEach } from '../kit/job-scene.js';
import { joined, type Browser } from '../kit/panel.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { itemsOf, verdict } from './asking.js';

describe('the queue of a printer', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let member: Browser;
  beforeEach(async () => {
    ({ browser: member } = await joined(service, scene.accountId, 'bea', 'developer'));
  });

  const set = (settings: object) => member.call('PATCH', `/panel/printers/${scene.printerId}`, settings);
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
    });
  });

  const clear = (json: object = {}) => member.post(`/panel/printers/${scene.printerId}/clear`, json);
  const queue = async (query = '') =>
    (await member.get(`/panel/printers/${scene.printerId}/queue${query}`)).body.data as {
      waiting: number;
      at_agent: number;
      items: { job_id: string; status: string }[];
      next_cursor: string | null;
    };
  const atAgent = async () => {
    const jobId = await scene.create();
    await scene.lease('accepted');
    return jobId;
  };
  const inRetry = async () => {
    const jobId = await scene.create();
    await scene.agent.report(await scene.lease('handed_off'), 'not_submitted');
    return jobId;
  };

  describe('listed', () => {
    it('shows what waits and what the Agent has, in pages, oldest first', async () => {
      const taken = await atAgent();
      const retrying = await inRetry();
      const done = await scene.create();
      await scene.lease('completed');
      const queued = await scene.create();
      const first = await queue('?limit=2');
      expect(first).toMatchObject({ waiting: 2, at_agent: 1, has_more: true, printer: { status: 'online' } });
      const second = await queue(`?limit=2&cursor=${first.next_cursor}`);
      expect([...first.items, ...second.items].map(({ job_id }) => job_id)).toEqual([
        taken,
        retrying,
        queued,
      ]);
      expect(second.next_cursor).toBeNull();
      expect(await scene.job(done)).toMatchObject({ status: 'spooler_completed' });
    });
  });

  describe('cleared', () => {
    it('cancels what waits, and leaves what the Agent has accepted', async () => {
      const taken = await atAgent();
      const retrying = await inRetry();
      const queued = await scene.create();
      const leased = await scene.lease();
      expect((await clear()).body.data).toEqual({ done: 2, left: 0, next_cursor: null });
      for (const jobId of [retrying, queued]) {
        expect(await scene.job(jobId)).toMatchObject({
          status: 'cancelled',
          cancellation_reason: 'queue_cleared',
        });
      }
      expect(verdict(await scene.agent.accept(leased))).toBe('409 LEASE_LOST');
      expect((await queue()).items).toMatchObject([{ job_id: taken, status: 'accepted_by_agent' }]);
      expect(await actions()).toContain('JobCancelled');
    });

    it('takes at most 1,000 jobs at once, and none created after the first request', async () => {
      await scene.create();
      for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 100 }, () => scene.submit()));
      const first = await clear();
      expect(first.body.data).toEqual({ done: 1_000, left: 0, next_cursor: expect.any(String) });
      service.clock.advance(1);
      const later = await scene.create();
      const { next_cursor: cursor } = first.body.data!;
      expect((await clear({ cursor })).body.data).toEqual({ done: 1, left: 0, next_cursor: null });
      expect((await queue()).items.map(({ job_id }) => job_id)).toEqual([later]);
      expect(verdict(await clear({ cursor: `${String(cursor)}A` }))).toBe('400 INVALID_REQUEST');
    });

    it('refuses a cursor of an earlier release, whose position has no time', async () => {
      const scope = { list: 'clear', account: scene.accountId, printer: scene.printerId };
      const after = `${service.clock.now()} ${'0'.repeat(24)}`;
      const cursor = service.service.app.get(Cursors, { strict: false }).seal(scope, after);
      expect(verdict(await clear({ cursor }))).toBe('400 INVALID_REQUEST');
    });
  });

  describe('moved', () => {
    const move = (to_printer_id: string | undefined) =>
      member.post(`/panel/printers/${scene.printerId}/move`, { to_printer_id });

    it('sends what waits to another computer, and tells from where', async () => {
      const { agent, printerId: to } = await TestAgent.ready(service, scene.accountId, [
        { ...onePrinter, name: 'Till 2' },
      ]);
      const taken = await atAgent();
      const queued = await scene.create();
      const leased = await scene.lease();
      expect((await move(to)).body.data).toEqual({ done: 1, left: 0, next_cursor: null });
      expect(verdict(await scene.agent.accept(leased))).toBe('409 LEASE_LOST');
      expect(await scene.agent.lease()).toEqual([]);
      expect((await agent.lease()).map(({ job_id }) => job_id)).toEqual([queued]);
      const moved = await scene.job(queued);
      expect(moved).toMatchObject({ printer_id: to, printer_name: 'Till 2', attempt_count: 2 });
      expect(moved.history.find(({ event_type }) => event_type === 'job.moved')).toMatchObject({
        previous_status: 'leased',
        new_status: 'queued',
        details: { from_printer_id: scene.printerId, to_printer_id: to },
      });
      expect(await scene.job(taken)).toMatchObject({ printer_id: scene.printerId });
      expect(await actions()).toContain('JobMoved');
    });

    it('counts and leaves jobs that the other printer cannot print', async () => {
      const pdfOnly = { ...onePrinter.capabilities, content_types: ['pdf'] };
      const { printerId: to } = await TestAgent.ready(service, scene.accountId, [
        { ...onePrinter, capabilities: pdfOnly },
      ]);
      await scene.create();
      const pdf = await scene.create({
        content: { type: 'pdf', encoding: 'base64', data: btoa('%PDF-1.7') },
      });
      expect((await move(to)).body.data).toEqual({ done: 1, left: 1, next_cursor: null });
      expect(await scene.job(pdf)).toMatchObject({ printer_id: to });
    });

    it('is refused to a printer that is offline or of another account', async () => {
      const { agent, printerId: to } = await TestAgent.ready(service, scene.accountId);
      await agent.inventory([{ ...onePrinter, online: false }]);
      const other = await JobScene.open(service);
      await scene.create();
      expect(verdict(await move(to))).toBe('409 PRINTER_NOT_READY');
      expect(verdict(await move(other.printerId))).toBe('404 PRINTER_NOT_FOUND');
      expect(verdict(await move(undefined))).toBe('400 INVALID_REQUEST');
      expect((await queue()).waiting).toBe(1);
    });

    it('never gives a job to both computers, whoever comes first', async () => {
      const { agent, printerId: to } = await TestAgent.ready(service, scene.accountId);
      for (let round = 0; round < 10; round++) {
        await scene.create();
        const lease = await scene.lease();
        const [accepted, moved] = await Promise.all([scene.agent.accept(lease), move(to)]);
        const there = await agent.lease();
        expect([accepted.status, moved.body.data!.done, there.length]).toEqual(
          accepted.status === 200 ? [200, 0, 0] : [409, 1, 1],
        );
        if (there[0]) {
          await agent.accept(there[0]);
          await agent.report(there[0], 'rejected');
        } else await scene.agent.report(lease, 'rejected');
      }
    });
  });
});
