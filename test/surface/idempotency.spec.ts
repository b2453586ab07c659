import { randomUUID } from 'node:crypto';
import type { Answered } from '../kit/http/client.js';
import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { createJob, onePrinter, openAccount, TestAgent } from '../kit/world.js';
import { DAY, HOUR, idOf, MINUTE, verdict } from './asking.js';

describe('repeating a request under its Idempotency-Key', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let idempotencyKey: string;
  beforeEach(async () => {
    idempotencyKey = randomUUID();
  });

  const create = (more: object = {}) => scene.submit(more, idempotencyKey);
  const total = async () =>
    (await service.call('GET', '/svc-api-print-jobs', { as: scene.key })).body.data!.total;
  const expectReplay = (answered: Answered, original: Answered) => {
    expect(verdict(answered)).toBe('200 SVC_JOB_IDEMPOTENT_REPLAY');
    expect(answered.headers.get('idempotent-replayed')).toBe('true');
    expect(idOf(answered)).toBe(idOf(original));
  };

  it('answers 200 with the same job, marked as a replay', async () => {
    const created = await create();
    expect(created.headers.get('idempotent-replayed')).toBeNull();
    const replayed = await create();
    expectReplay(replayed, created);
    expect(replayed.body.data).toEqual(created.body.data);
    expect(await total()).toBe(1);
  });

  it('creates one job for 1,000 concurrent identical requests: one 201, 999 × 200', async () => {
    const answers = await Promise.all(Array.from({ length: 1000 }, () => create({ title: 'Once' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(999);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    expect(await total()).toBe(1);
    const { history } = await scene.job(idOf(answers[0]!));
    expect(history.map(({ event_type }) => event_type)).toEqual(['job.created', 'job.queued']);
  });

  it('ignores key order, white space, explicit defaults and time formats', async () => {
    const expires_at = service.fromNow(2 * HOUR);
    const created = await create({ expires_at });
    const zoned = `${new Date(Date.parse(expires_at) + HOUR).toISOString().slice(0, 23)}+01:00`;
    const content = '{"data": "Hello, printer",\n"encoding":"utf8", "type":"text"}';
    const raw = `{ "copies": 1, "expires_at": "${zoned}", "content": ${content}, "printer_id": "${scene.printerId.toUpperCase()}" }`;
    const headers = { 'idempotency-key': idempotencyKey };
    expectReplay(await service.call('POST', '/svc-api-print-jobs', { as: scene.key, headers, raw }), created);
  });

  it.each<[string, object]>([
    ['copies', { copies: 2 }],
    ['title', { title: 'Other' }],
    ['external_id', { external_id: 'other' }],
    ['content', { content: { type: 'text', encoding: 'utf8', data: 'Other' } }],
    ['type', { content: { type: 'raw', encoding: 'base64', data: btoa('Hello, printer') } }],
    ['expires_at', { expires_at: '2026-11-22T11:00:00.000Z' }],
    ['printer_id', { printer_id: '01990000-0000-7000-8000-00000000dead' }],
  ])('answers a conflict for another %s under the key', async (_, more) => {
    const created = await create();
    const conflict = await create(more);
    expect(verdict(conflict)).toBe('409 SVC_JOB_IDEMPOTENCY_CONFLICT');
    expect(conflict.body.retryable).toBe(false);
    expectReplay(await create(), created);
    expect(await total()).toBe(1);
  });

  it('separates keys of different accounts', async () => {
    const created = await create();
    const other = await openAccount(service);
    const { printerId: theirs } = await TestAgent.ready(service, other.accountId);
    const elsewhere = await createJob(service, other.key, theirs, {}, idempotencyKey);
    expect(elsewhere.status).toBe(201);
    expect(idOf(elsewhere)).not.toBe(idOf(created));
  });

  it('shares them between API keys of one account', async () => {
    const created = await create();
    const second = await service.operate('POST', `/accounts/${scene.accountId}/keys`, {
      scopes: ['jobs:create'],
    });
    expectReplay(
      await createJob(service, String(second.api_key), scene.printerId, {}, idempotencyKey),
      created,
    );
  });

  it('keeps the key of a refused request unused', async () => {
    await scene.agent.inventory([{ ...onePrinter, online: false }]);
    expect(verdict(await create({ copies: 2 }))).toBe('409 SVC_PRINTER_NOT_READY');
    expect((await create({ copies: 99 })).status).toBe(400);
    expect((await create({ printer_id: randomUUID() })).status).toBe(404);
    expect((await create({ expires_at: service.fromNow(-1) })).status).toBe(400);
    await scene.agent.inventory([onePrinter]);
    expect((await create()).status).toBe(201);
  });

  describe('replays in any later state', () => {
    it('with the printer offline, then removed', async () => {
      const created = await create();
      await scene.agent.inventory([{ ...onePrinter, online: false }]);
      expectReplay(await create(), created);
      await scene.agent.inventory([]);
      expectReplay(await create(), created);
      expect(verdict(await create({ copies: 2 }))).toBe('409 SVC_JOB_IDEMPOTENCY_CONFLICT');
    });

    it('with the plan exhausted', async () => {
      const created = await create();
      await service.operate('POST', `/accounts/${scene.accountId}/plan`, {
        jobs_per_month: 0,
        max_content_bytes: 1,
      });
      expectReplay(await create(), created);
    });

    it('with the printed job in its current state', async () => {
      const created = await create();
      await scene.agent.print();
      const replayed = await create();
      expectReplay(replayed, created);
      expect(replayed.body.data!.status).toBe('spooler_completed');
    });

    it('with the cancelled or expired job', async () => {
      const created = await create({ expires_at: service.fromNow(HOUR) });
      const expires_at = String(created.body.data!.expires_at);
      await service.advance(HOUR);
      const replayed = await create({ expires_at });
      expectReplay(replayed, created);
      expect(replayed.body.data!.status).toBe('expired');
      idempotencyKey = randomUUID();
      await scene.agent.heartbeat();
      const second = await create();
      await scene.cancel(idOf(second));
      expect((await create()).body.data!.status).toBe('cancelled');
    });
  });

  describe('keeps a key', () => {
    it('for 24 hours if the job expires earlier', async () => {
      const expires_at = service.fromNow(HOUR);
      const created = await create({ expires_at });
      await service.advance(DAY - 1);
      expectReplay(await create({ expires_at }), created);
      await service.advance(1);
      await scene.agent.heartbeat();
      const anew = await create();
      expect(anew.status).toBe(201);
      expect(idOf(anew)).not.toBe(idOf(created));
      expectReplay(await create(), anew);
    });

    it('until the job expires if that is later', async () => {
      const expires_at = service.fromNow(3 * DAY);
      const created = await create({ expires_at });
      await service.advance(3 * DAY - 1);
      expectReplay(await create({ expires_at }), created);
      await service.advance(1);
      await scene.agent.heartbeat();
      expect((await create()).status).toBe(201);
    });

    it('while a review extends the job', async () => {
      const created = await create();
      await scene.lease('handed_off');
      await service.advance(10 * MINUTE);
      expect(await scene.job(idOf(created))).toMatchObject({
        status: 'manual_review',
        expires_at: service.fromNow(3 * DAY),
      });
      await service.advance(2 * DAY);
      expectReplay(await create(), created);
    });
  });

  describe('of a retry', () => {
    const failedJob = async () => {
      const created = await create();
      const lease = await scene.lease('handed_off');
      await scene.agent.report(lease, 'spooler_vanished');
      return idOf(created);
    };

    it('requeues once and replays the current job', async () => {
      const jobId = await failedJob();
      const first = await scene.retry(jobId, { reason: 'paper is in' }, 'retry-key-1');
      expect(verdict(first)).toBe('200 SVC_JOB_RETRIED');
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      await scene.agent.lease(1);
      const again = await scene.retry(jobId, { reason: 'paper is in' }, 'retry-key-1');
      expect(verdict(again)).toBe('200 SVC_JOB_RETRIED');
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body.data).toMatchObject({ job_id: jobId, status: 'leased', retry_count: 1 });
    });

    it('requeues once for 200 concurrent requests and answers all', async () => {
      const jobId = await failedJob();
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => scene.retry(jobId, {}, 'retry-key-2')),
      );
      expect(new Set(answers.map(verdict))).toEqual(new Set(['200 SVC_JOB_RETRIED']));
      const fresh = answers.filter(({ headers }) => !headers.has('idempotent-replayed'));
      expect(fresh).toHaveLength(1);
      expect((await scene.job(jobId)).retry_count).toBe(1);
    });

    it('conflicts with another job or reason under its key', async () => {
      const [jobId, other] = [await failedJob(), ((idempotencyKey = randomUUID()), await failedJob())];
      await scene.retry(jobId, {}, 'retry-key-3');
      for (const [id, json] of [
        [other, {}],
        [jobId, { reason: 'why not' }],
      ] as const)
        expect(verdict(await scene.retry(id, json, 'retry-key-3'))).toBe('409 SVC_JOB_IDEMPOTENCY_CONFLICT');
    });

    it('is separate from keys of creates', async () => {
      const jobId = await failedJob();
      expect(verdict(await scene.retry(jobId, {}, idempotencyKey))).toBe('200 SVC_JOB_RETRIED');
    });

    it('keeps the key of a refused retry unused', async () => {
      const created = await create();
      const jobId = idOf(created);
      expect(verdict(await scene.retry(jobId, {}, 'retry-key-4'))).toBe('409 SVC_JOB_STATE_CONFLICT');
      const lease = await scene.lease('handed_off');
      await scene.agent.report(lease, 'spooler_vanished');
      expect(verdict(await scene.retry(jobId, {}, 'retry-key-4'))).toBe('200 SVC_JOB_RETRIED');
    });
  });
});
