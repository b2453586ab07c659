import { randomUUID } from 'node:crypto';
import { JobScene, type Stage } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { createJob, type Leased } from '../../kit/world.js';
import { SECOND, DAY } from '../asking.js';

let service: TestService;
let scene: JobScene;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  scene = await JobScene.open(service);
});

/** Refusals by the stage that a lease has reached. */
const STAGES: readonly Stage[] = ['leased', 'accepted', 'handed_off', 'spooled', 'completed'];

async function failedForGood(): Promise<Leased> {
  const lease = await scene.at('accepted');
  await scene.agent.report(lease, 'rejected');
  return lease;
}

describe('cancelling a job', () => {
  it('ends a queued job, with the reason', async () => {
    const jobId = await scene.create();
    await service.advance(5 * SECOND);
    const { status, body } = await scene.cancel(jobId, { reason: 'wrong table' });
    expect([status, body.code]).toEqual([200, 'SVC_JOB_CANCELLED']);
    expect(body.data).toMatchObject({
      status: 'cancelled',
      cancellation_reason: 'wrong table',
      cancelled_at: service.clock.now(),
      duration_ms: 5 * SECOND,
      is_final: true,
      can_cancel: false,
      can_retry: false,
    });
  });

  it('invalidates the lease before it ends a leased job', async () => {
    const lease = await scene.at('leased');
    expect((await scene.cancel(lease.job_id)).status).toBe(200);
    expect((await scene.agent.accept(lease)).body.code).toBe('LEASE_LOST');
    const { items } = await service.operate('GET', `/streams/job-${lease.job_id}`);
    const types = (items as { type: string }[]).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['LeaseInvalidated', 'JobCancelled']);
  });

  it.each(STAGES.slice(1))('is refused once the agent holds it: %s', async (stage) => {
    const lease = await scene.at(stage);
    const before = await scene.job(lease.job_id);
    const { status, body } = await scene.cancel(lease.job_id);
    expect([status, body.code]).toEqual([409, 'SVC_JOB_STATE_CONFLICT']);
    expect(await scene.job(lease.job_id)).toEqual(before);
  });

  it('is refused for a failed, parked or ended job', async () => {
    const cancelled = await scene.create();
    await scene.cancel(cancelled);
    const failed = await failedForGood();
    const parked = await scene.parked();
    for (const jobId of [cancelled, failed.job_id, parked.job_id]) {
      expect((await scene.cancel(jobId)).body.code).toBe('SVC_JOB_STATE_CONFLICT');
    }
  });

  it('needs a body, and a reason of 1 to 500 characters if one is given', async () => {
    const jobId = await scene.create();
    const bare = { as: scene.key, raw: '', headers: { 'content-type': 'application/json' } };
    expect((await service.call('POST', `/svc-api-print-jobs/${jobId}/cancel`, bare)).status).toBe(400);
    expect((await scene.cancel(jobId, { reason: '' })).status).toBe(400);
    expect((await scene.cancel(jobId, { reason: 'x'.repeat(501) })).status).toBe(400);
    expect((await scene.cancel(jobId, { reason: 'x'.repeat(500) })).status).toBe(200);
  });

  it('lets exactly one of a cancel and an accept succeed', async () => {
    const winners = { cancel: 0, accept: 0 };
    for (let time = 0; time < 60; time++) {
      const lease = await scene.at('leased');
      const [first, second] = await Promise.all(
        time % 2 === 0
          ? [scene.cancel(lease.job_id), scene.agent.accept(lease)]
          : [scene.agent.accept(lease), scene.cancel(lease.job_id)],
      );
      const [cancel, accept] = time % 2 === 0 ? [first, second] : [second, first];
      expect([cancel!.status, accept!.status].sort()).toEqual([200, 409]);
      const winner = cancel!.status === 200 ? 'cancel' : 'accept';
      winners[winner]++;
      expect((await scene.job(lease.job_id)).status).toBe(
        winner === 'cancel' ? 'cancelled' : 'accepted_by_agent',
      );
      if (winner === 'accept') await scene.agent.report(lease, 'rejected');
    }
    expect(winners.cancel + winners.accept).toBe(60);
  }, 60_000);
});

describe('retrying a job', () => {
  it('requeues a parked job with a new fence', async () => {
    const lease = await scene.parked();
    const { status, body } = await scene.retry(lease.job_id, { reason: 'no paper came' });
    expect([status, body.code]).toEqual([200, 'SVC_JOB_RETRIED']);
    expect(body.data).toMatchObject({ status: 'queued', retry_count: 1, retry_state: 'submitted' });
    expect(await scene.lastLine(lease.job_id)).toMatchObject({
      event_type: 'job.retry_submitted',
      details: { reason: 'no paper came' },
    });
    expect((await scene.lease('completed')).fence).toBe(2);
    expect(await scene.job(lease.job_id)).toMatchObject({ retry_state: 'completed' });
  });

  it('does not wait for the delay of a temporary failure', async () => {
    const lease = await scene.at('accepted');
    await scene.agent.report(lease, 'not_submitted');
    expect((await scene.retry(lease.job_id)).status).toBe(200);
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({ status: 'queued', retry_count: 1 });
    expect(Object.keys(job)).not.toContain('next_attempt_at');
    await service.advance(15 * SECOND);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'queued', retry_count: 1 });
  });

  it.each<[Stage, string]>([
    ['leased', 'SVC_JOB_RETRY_DUPLICATION_RISK'],
    ['accepted', 'SVC_JOB_RETRY_DUPLICATION_RISK'],
    ['handed_off', 'SVC_JOB_RETRY_DUPLICATION_RISK'],
    ['spooled', 'SVC_JOB_RETRY_DUPLICATION_RISK'],
    ['completed', 'SVC_JOB_RETRY_DUPLICATION_RISK'],
  ])('is refused while it is %s', async (stage, code) => {
    const lease = await scene.at(stage);
    const { status, body } = await scene.retry(lease.job_id);
    expect([status, body.code]).toEqual([409, code]);
  });

  it('is refused when there is nothing to retry', async () => {
    const queued = await scene.create();
    expect((await scene.retry(queued)).body.code).toBe('SVC_JOB_STATE_CONFLICT');
    await scene.cancel(queued);
    expect((await scene.retry(queued)).body.code).toBe('SVC_JOB_STATE_CONFLICT');
    const failed = await failedForGood();
    expect((await scene.retry(failed.job_id)).body.code).toBe('SVC_JOB_STATE_CONFLICT');
    const unknown = await scene.retry(randomUUID());
    expect([unknown.status, unknown.body.code]).toEqual([404, 'SVC_JOB_NOT_FOUND']);
  });

  it('answers a repeat with the current job', async () => {
    const lease = await scene.parked();
    const key = randomUUID();
    expect((await scene.retry(lease.job_id, { reason: 'again' }, key)).status).toBe(200);
    await scene.lease('completed');
    const repeat = await scene.retry(lease.job_id, { reason: 'again' }, key);
    expect([repeat.status, repeat.body.code]).toEqual([200, 'SVC_JOB_RETRIED']);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat.body.data).toMatchObject({ status: 'spooler_completed', retry_count: 1 });
  });

  it('refuses the key for another reason or job, and leaves it free after a refusal', async () => {
    const [one, other] = [await scene.parked(), await scene.parked()];
    const key = randomUUID();
    const tooEarly = await scene.create();
    expect((await scene.retry(tooEarly, {}, key)).status).toBe(409);
    expect((await scene.retry(one.job_id, {}, key)).status).toBe(200);
    for (const conflict of [
      await scene.retry(one.job_id, { reason: 'else' }, key),
      await scene.retry(other.job_id, {}, key),
    ]) {
      expect([conflict.status, conflict.body.code]).toEqual([409, 'SVC_JOB_IDEMPOTENCY_CONFLICT']);
    }
    expect((await scene.job(other.job_id)).status).toBe('manual_review');
  });

  it('keeps its key separate from keys of creates', async () => {
    const lease = await scene.parked();
    const key = randomUUID();
    expect((await createJob(service, scene.key, scene.printerId, {}, key)).status).toBe(201);
    expect((await scene.retry(lease.job_id, {}, key)).status).toBe(200);
  });

  it('happens once for concurrent requests', async () => {
    const lease = await scene.parked();
    const key = randomUUID();
    const same = await Promise.all(Array.from({ length: 20 }, () => scene.retry(lease.job_id, {}, key)));
    expect(same.map(({ status }) => status)).toEqual(same.map(() => 200));
    expect(same.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'queued', retry_count: 1 });
    const [again] = [await scene.lease('spooled')];
    await scene.agent.report(again!, 'spooler_vanished');
    const different = await Promise.all(Array.from({ length: 20 }, () => scene.retry(lease.job_id)));
    expect(different.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(different.filter(({ body }) => body.code === 'SVC_JOB_STATE_CONFLICT')).toHaveLength(19);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'queued', retry_count: 2 });
  });
});

describe('the automatic retry', () => {
  it('follows the configured delays and stops after the last', async () => {
    const delays = [15, 60, 300];
    const jobId = await scene.create();
    for (const [n, delay] of delays.entries()) {
      await scene.agent.report(await scene.lease('accepted'), 'not_submitted');
      const due = service.fromNow(delay * SECOND);
      expect(await scene.job(jobId)).toMatchObject({ retry_state: 'scheduled', next_attempt_at: due });
      expect(await scene.lastLine(jobId)).toMatchObject({
        event_type: 'job.retry_scheduled',
        details: { retry_delay_seconds: delay },
      });
      await service.advance(delay * SECOND - 1);
      expect((await scene.job(jobId)).status).toBe('failed');
      await service.advance(1);
      expect(await scene.job(jobId)).toMatchObject({ status: 'queued', retry_count: n + 1 });
      expect((await scene.lastLine(jobId)).event_type).toBe('job.retry_submitted');
    }
    await scene.agent.report(await scene.lease('accepted'), 'not_submitted');
    expect(await scene.job(jobId)).toMatchObject({
      status: 'failed',
      retry_state: 'exhausted',
      retry_count: 3,
      can_retry: true,
      is_final: false,
    });
    await service.advance(3600 * SECOND);
    expect((await scene.job(jobId)).status).toBe('failed');
    expect((await scene.retry(jobId)).status).toBe(200);
    await scene.agent.report(await scene.lease('accepted'), 'not_submitted');
    expect(await scene.job(jobId)).toMatchObject({ retry_state: 'exhausted', retry_count: 4 });
  });

  it("stops at the account's limit, repeating the last delay", async () => {
    await service.operate('POST', `/accounts/${scene.accountId}/plan`, { max_auto_retries: 7 });
    const jobId = await scene.create();
    const delays: unknown[] = [];
    for (let n = 0; n < 7; n++) {
      await scene.agent.report(await scene.lease('accepted'), 'not_submitted');
      const { details } = await scene.lastLine(jobId);
      delays.push(details!.retry_delay_seconds);
      await service.advance(Number(details!.retry_delay_seconds) * SECOND);
    }
    expect(delays).toEqual([15, 60, 300, 900, 1800, 1800, 1800]);
    await scene.agent.report(await scene.lease('accepted'), 'not_submitted');
    expect(await scene.job(jobId)).toMatchObject({ retry_state: 'exhausted', max_auto_retries: 7 });
  });

  it('never requeues permanent failures or parked jobs', async () => {
    const permanent = await failedForGood();
    const parked = await scene.parked();
    await service.advance(2 * DAY);
    expect(await scene.job(permanent.job_id)).toMatchObject({ status: 'failed', retry_state: 'none' });
    expect(await scene.job(parked.job_id)).toMatchObject({ status: 'manual_review', retry_count: 0 });
  });
});
