import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { JobQueries } from '../../projections/job-view/job-view.queries.js';
import { Documents } from '../../src/api/documents.js';
import { sceneForEach } from '../kit/job-scene.js';
import { joined } from '../kit/panel.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter, openAccount, TestAgent } from '../kit/world.js';
import { DAY, HOUR, idOf, itemsOf, verdict } from './asking.js';

describe('reprinting a job', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);

  const reprint = (jobId: string, json: object = {}, key: string = randomUUID(), as = scene.key) =>
    service.call('POST', `/svc-api-print-jobs/${jobId}/reprint`, {
      as,
      json,
      headers: { 'idempotency-key': key },
    });
  const printed = async (more: object = {}) => {
    const jobId = await scene.create(more);
    await scene.lease('completed');
    return jobId;
  };
  const contentOf = async (leaseJobId: string) =>
    (await scene.agent.call('GET', `/jobs/${leaseJobId}/content`)).text;

  it('creates a new job from the kept document, which names the old one', async () => {
    const jobId = await printed({ title: 'Order 1211', external_id: 'order-1211', copies: 2 });
    const created = await reprint(jobId);
    expect(verdict(created)).toBe('201 SVC_JOB_CREATED');
    const old = await scene.job(jobId);
    expect(created.body.data).toMatchObject({
      title: 'Order 1211',
      external_id: 'order-1211',
      copies: 2,
      printer_id: scene.printerId,
      content_hash: old.content_hash,
      status: 'queued',
      reprint_of: jobId,
    });
    expect(idOf(created)).not.toBe(jobId);
  });

  it('needs no body: a request without one is that with an empty object', async () => {
    const jobId = await printed();
    const key = randomUUID();
    const created = await service.call('POST', `/svc-api-print-jobs/${jobId}/reprint`, {
      as: scene.key,
      headers: { 'idempotency-key': key },
    });
    expect(verdict(created)).toBe('201 SVC_JOB_CREATED');
    expect(verdict(await reprint(jobId, {}, key))).toBe('200 SVC_JOB_IDEMPOTENT_REPLAY');
  });

  it('names the new job in the history of the old one, which stays as it was', async () => {
    const jobId = await printed();
    const before = await scene.job(jobId);
    const created = await reprint(jobId);
    const { history, ...after } = await scene.job(jobId);
    expect(after).toEqual({ ...before, history: undefined });
    expect(history.at(-1)).toMatchObject({
      event_type: 'job.reprinted',
      outcome: 'recorded',
      details: { reprint_job_id: idOf(created) },
    });
  });

  it('creates one job per Idempotency-Key, also after the document is gone', async () => {
    const jobId = await printed();
    await service.advance(HOUR);
    await scene.agent.heartbeat();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => reprint(jobId, {}, key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(verdict(await reprint(jobId, { printer_id: scene.printerId }, key))).toBe(
      '409 SVC_JOB_IDEMPOTENCY_CONFLICT',
    );
    const { history } = await scene.job(jobId);
    expect(history.filter(({ event_type }) => event_type === 'job.reprinted')).toHaveLength(1);
    await service.advance(DAY - HOUR);
    await scene.agent.heartbeat();
    expect(verdict(await reprint(jobId))).toBe('409 SVC_CONTENT_NOT_KEPT');
    expect(verdict(await reprint(jobId, {}, key))).toBe('200 SVC_JOB_IDEMPOTENT_REPLAY');
  });

  it('keeps the document of the new job when that of the old one is deleted', async () => {
    const jobId = await printed();
    await service.advance(DAY - 1000);
    await scene.agent.heartbeat();
    const newId = idOf(await reprint(jobId));
    await service.advance(1000);
    expect(verdict(await reprint(jobId))).toBe('409 SVC_CONTENT_NOT_KEPT');
    await scene.agent.heartbeat();
    expect(await scene.lease()).toMatchObject({ job_id: newId });
    expect(await contentOf(newId)).toBe('Hello, printer');
  });

  it('copies documents that are stored in parts', async () => {
    const data = 'x'.repeat(600_000);
    const jobId = await printed({ content: { type: 'text', encoding: 'utf8', data } });
    const newId = idOf(await reprint(jobId));
    await scene.lease();
    expect(await contentOf(newId)).toBe(data);
  });

  it('waits for no download of the account', async () => {
    const jobId = await printed({ content: { type: 'text', encoding: 'utf8', data: 'x'.repeat(600_000) } });
    await service.operate('POST', `/accounts/${scene.accountId}/plan`, { jobs_per_month: 1_000 });
    const { app } = service.service;
    const job = await app.get(JobQueries).getJob(scene.accountId, jobId);
    const unread = await Promise.all(
      Array.from({ length: 8 }, (_, n) => app.get(Documents).open(job!, `reader-${n}`)),
    );
    expect(verdict(await reprint(jobId))).toBe('201 SVC_JOB_CREATED');
    for (const found of unread) if (found.state === 'whole') (found.body as Readable).destroy();
  });

  it('prints on another printer of the account, under the rules of a create', async () => {
    const jobId = await printed();
    const pdfOnly = { ...onePrinter.capabilities, content_types: ['pdf'] };
    const { printerIds, agent } = await TestAgent.ready(service, scene.accountId, [
      onePrinter,
      { ...onePrinter, printer_key: 'pdf', name: 'PDF only', capabilities: pdfOnly },
    ]);
    const created = await reprint(jobId, { printer_id: printerIds[0] });
    expect(created.body.data).toMatchObject({ printer_id: printerIds[0], reprint_of: jobId });
    expect((await agent.lease(1))[0]).toMatchObject({ job_id: idOf(created) });
    expect(verdict(await reprint(jobId, { printer_id: printerIds[1] }))).toBe(
      '409 SVC_CONTENT_TYPE_NOT_SUPPORTED',
    );
    expect(verdict(await reprint(jobId, { printer_id: randomUUID() }))).toBe('404 SVC_PRINTER_NOT_FOUND');
  });

  it('counts against the plan', async () => {
    const jobId = await printed();
    await service.operate('POST', `/accounts/${scene.accountId}/plan`, { jobs_per_month: 1 });
    expect(verdict(await reprint(jobId))).toBe('402 SVC_PLAN_LIMIT_REACHED');
    expect(await scene.history(jobId)).not.toContain('job.reprinted');
  });

  it('is refused after 100 reprints of one job', async () => {
    const jobId = await printed();
    for (let n = 0; n < 100; n++) {
      if (n % 50 === 0) service.clock.advance(60_000);
      await scene.agent.heartbeat();
      expect((await reprint(jobId)).status).toBe(201);
    }
    service.clock.advance(60_000);
    await scene.agent.heartbeat();
    expect(verdict(await reprint(jobId))).toBe('409 SVC_JOB_STATE_CONFLICT');
  });

  it('shows who reprinted in the audit, and answers 404 for jobs of other accounts', async () => {
    const jobId = await printed();
    const { browser } = await joined(service, scene.accountId, 'bea', 'developer');
    await browser.call(
      'POST',
      `/svc-api-print-jobs/${jobId}/reprint`,
      {},
      { 'idempotency-key': randomUUID() },
    );
    expect(itemsOf(await browser.get('/panel/audit'))[0]).toMatchObject({
      action: 'JobReprinted',
      actor: { name: 'bea' },
      subject: { kind: 'job', id: jobId },
    });
    const stranger = await openAccount(service);
    expect(verdict(await reprint(jobId, {}, randomUUID(), stranger.key))).toBe('404 SVC_JOB_NOT_FOUND');
  });
});
