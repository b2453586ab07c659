import { randomUUID } from 'node:crypto';
import { serviceForAll } from '../../kit/service.js';
import { createJob, onePrinter, openAccount, TestAgent } from '../../kit/world.js';
import { DAY, verdict } from '../asking.js';

const raw = (size: number) => ({
  content: { type: 'raw', encoding: 'base64', data: Buffer.alloc(size, 1).toString('base64') },
});

describe('plan limits', () => {
  const service = serviceForAll();

  const world = async (plan: object, printers: readonly object[] = [onePrinter]) => {
    const { accountId, key } = await openAccount(service, plan);
    return { accountId, key, ...(await TestAgent.ready(service, accountId, printers)) };
  };
  const testPrinter = (key: string, printerId: string) =>
    service.call('POST', `/svc-api-printers/${printerId}/test`, { as: key });

  describe('jobs per month', () => {
    it('creates exactly the allowed number for 60 concurrent requests', async () => {
      const { key, printerId } = await world({ jobs_per_month: 17 });
      const answers = await Promise.all(Array.from({ length: 60 }, () => createJob(service, key, printerId)));
      const counts = new Map<string, number>();
      for (const answer of answers.map(verdict)) counts.set(answer, (counts.get(answer) ?? 0) + 1);
      expect(Object.fromEntries(counts)).toEqual({
        '201 SVC_JOB_CREATED': 17,
        '402 SVC_PLAN_LIMIT_REACHED': 43,
      });
      const listed = await service.call('GET', '/svc-api-print-jobs', { as: key });
      expect(listed.body.data!.total).toBe(17);
    });

    it('counts test pages and cancelled jobs, but not replays', async () => {
      const { key, printerId } = await world({ jobs_per_month: 2 });
      const first = await createJob(service, key, printerId, {}, 'the-first-job');
      expect((await testPrinter(key, printerId)).status).toBe(202);
      expect((await createJob(service, key, printerId, {}, 'the-first-job')).status).toBe(200);
      const path = `/svc-api-print-jobs/${String(first.body.data!.job_id)}/cancel`;
      expect((await service.call('POST', path, { as: key, json: {} })).status).toBe(200);
      expect(verdict(await createJob(service, key, printerId))).toBe('402 SVC_PLAN_LIMIT_REACHED');
      expect(verdict(await testPrinter(key, printerId))).toBe('409 SVC_PLAN_LIMIT_REACHED');
    });

    it('keeps the key of a refused job usable after an upgrade of the plan', async () => {
      const { accountId, key, printerId } = await world({ jobs_per_month: 0 });
      const idempotencyKey = randomUUID();
      const create = () => createJob(service, key, printerId, {}, idempotencyKey);
      expect(verdict(await create())).toBe('402 SVC_PLAN_LIMIT_REACHED');
      await service.operate('POST', `/accounts/${accountId}/plan`, { jobs_per_month: 1 });
      expect((await create()).status).toBe(201);
      await service.operate('POST', `/accounts/${accountId}/plan`, { jobs_per_month: null });
      expect((await createJob(service, key, printerId)).status).toBe(201);
    });

    it('checks the plan before the printer', async () => {
      const { key } = await world({ jobs_per_month: 0 });
      const refused = await createJob(service, key, randomUUID());
      expect(verdict(refused)).toBe('402 SVC_PLAN_LIMIT_REACHED');
    });

    it('checks the size of the document before the number of jobs', async () => {
      const { key, printerId } = await world({ jobs_per_month: 0, max_content_bytes: 1000 });
      const refused = await createJob(service, key, printerId, raw(1001));
      expect(verdict(refused)).toBe('413 SVC_CONTENT_TOO_LARGE');
    });

    it('resets each month', async () => {
      const { agent, key, printerId } = await world({ jobs_per_month: 1 });
      await createJob(service, key, printerId);
      expect(verdict(await createJob(service, key, printerId))).toBe('402 SVC_PLAN_LIMIT_REACHED');
      await service.advance(10 * DAY);
      await agent.heartbeat();
      expect(service.clock.now().slice(0, 7)).toBe('2026-12');
      expect((await createJob(service, key, printerId)).status).toBe(201);
    });
  });

  describe('document size', () => {
    it('accepts at most 10,485,760 bytes', async () => {
      const { key, printerId } = await world({});
      const created = await createJob(service, key, printerId, raw(10_485_760));
      expect(created.status).toBe(201);
      expect(created.body.data!.content_size_bytes).toBe(10_485_760);
      const refused = await createJob(service, key, printerId, raw(10_485_761));
      expect(verdict(refused)).toBe('413 SVC_CONTENT_TOO_LARGE');
    });

    it('accepts at most the size of the plan', async () => {
      const { key, printerId } = await world({ max_content_bytes: 1000 });
      expect((await createJob(service, key, printerId, raw(1000))).status).toBe(201);
      const refused = await createJob(service, key, printerId, raw(1001));
      expect(verdict(refused)).toBe('413 SVC_CONTENT_TOO_LARGE');
      expect(refused.body.message).toContain('1000');
    });

    it('counts the UTF-8 bytes of a text', async () => {
      const { key, printerId } = await world({ max_content_bytes: 9 });
      const text = (data: string) => ({ content: { type: 'text', encoding: 'utf8', data } });
      expect((await createJob(service, key, printerId, text('☃☃☃'))).status).toBe(201);
      expect(verdict(await createJob(service, key, printerId, text('☃☃☃!')))).toBe(
        '413 SVC_CONTENT_TOO_LARGE',
      );
    });

    it('limits the test page too', async () => {
      const { key, printerId } = await world({ max_content_bytes: 100 });
      expect(verdict(await testPrinter(key, printerId))).toBe('413 SVC_CONTENT_TOO_LARGE');
    });
  });

  it('limits an account for virtual printers to those', async () => {
    const { key, printerIds } = await world({ virtual_printers_only: true }, [
      onePrinter,
      { ...onePrinter, printer_key: 'paper', is_virtual: false },
    ]);
    const [virtual, paper] = printerIds as [string, string];
    expect((await createJob(service, key, virtual)).status).toBe(201);
    expect((await testPrinter(key, virtual)).status).toBe(202);
    expect(verdict(await createJob(service, key, paper))).toBe('403 SVC_VIRTUAL_PRINTERS_ONLY');
    expect(verdict(await testPrinter(key, paper))).toBe('403 SVC_VIRTUAL_PRINTERS_ONLY');
    const account = await service.call('GET', '/svc-api-account', { as: key });
    expect(account.body.data!.virtual_printers_only).toBe(true);
  });

  it('gives each job the number of automatic retries of the plan at its creation', async () => {
    const { accountId, key, printerId } = await world({ max_auto_retries: 7 });
    const retries = async () => (await createJob(service, key, printerId)).body.data!.max_auto_retries;
    expect(await retries()).toBe(7);
    await service.operate('POST', `/accounts/${accountId}/plan`, { max_auto_retries: 1 });
    expect(await retries()).toBe(1);
  });
});
