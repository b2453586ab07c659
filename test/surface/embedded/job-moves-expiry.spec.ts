import { JobScene } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { SECOND, HOUR, DAY } from '../asking.js';

let service: TestService;
let scene: JobScene;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  scene = await JobScene.open(service);
});

const soon = () => ({ expires_at: service.fromNow(30 * SECOND) });

/** Lets the job expire, and checks it just before and at the expiry. */
async function expires(jobId: string, from: string): Promise<void> {
  const before = await scene.job(jobId);
  expect(before.status).toBe(from);
  await service.advance(Date.parse(before.expires_at) - Date.parse(service.clock.now()) - 1);
  expect((await scene.job(jobId)).status).toBe(from);
  await service.advance(1);
  const job = await scene.job(jobId);
  expect(job).toMatchObject({
    status: 'expired',
    is_final: true,
    can_cancel: false,
    can_retry: false,
    duration_ms: Date.parse(service.clock.now()) - Date.parse(String(job.created_at)),
  });
  expect(job.history.at(-1)).toMatchObject({ event_type: 'job.expired', previous_status: from });
  expect(Object.keys(job)).not.toContain('next_attempt_at');
  expect((await scene.retry(jobId)).body.code).toBe('SVC_JOB_STATE_CONFLICT');
}

describe('the expiry of a job', () => {
  it('expires a queued job', async () => {
    await expires(await scene.create(soon()), 'queued');
  });

  it('expires a queued job after a day by default', async () => {
    const jobId = await scene.create();
    expect((await scene.job(jobId)).expires_at).toBe(service.fromNow(DAY));
    await expires(jobId, 'queued');
  });

  it('expires a leased job after its lease', async () => {
    const lease = await scene.at('leased', soon());
    await expires(lease.job_id, 'leased');
    const { items } = await service.operate('GET', `/streams/job-${lease.job_id}`);
    expect((items as { type: string }[]).map(({ type }) => type).slice(-2)).toEqual([
      'LeaseInvalidated',
      'JobExpired',
    ]);
    expect((await scene.agent.accept(lease)).body.code).toBe('JOB_EXPIRED');
    expect((await scene.agent.heartbeat(lease.lease_id)).body.data!.lost).toMatchObject([
      { reason: 'expired' },
    ]);
  });

  it('expires an accepted job before the hand-off', async () => {
    const lease = await scene.at('accepted', soon());
    await expires(lease.job_id, 'accepted_by_agent');
    expect((await scene.agent.handoff(lease)).body.code).toBe('JOB_EXPIRED');
  });

  it('expires a failed job with a scheduled retry', async () => {
    const lease = await scene.at('accepted', { expires_at: service.fromNow(10 * SECOND) });
    await scene.agent.report(lease, 'not_submitted');
    await expires(lease.job_id, 'failed');
    await service.advance(HOUR);
    expect((await scene.job(lease.job_id)).status).toBe('expired');
  });

  it('spares jobs that may be printing', async () => {
    const handedOff = await scene.at('handed_off', soon());
    const spooled = await scene.at('spooled', soon());
    await service.advance(60 * SECOND);
    expect((await scene.job(handedOff.job_id)).status).toBe('accepted_by_agent');
    expect((await scene.job(spooled.job_id)).status).toBe('sent_to_spooler');
    expect(await scene.agent.report(spooled, 'spooler_completed')).toMatchObject({ result: 'applied' });
  });

  it('spares a failed job without a scheduled retry, which can no longer be retried', async () => {
    const lease = await scene.at('accepted', soon());
    await scene.agent.report(lease, 'rejected');
    await service.advance(60 * SECOND);
    expect((await scene.job(lease.job_id)).status).toBe('failed');
  });

  it('expires a job whose retry would come too late', async () => {
    const lease = await scene.at('handed_off', soon());
    await service.advance(60 * SECOND);
    await scene.agent.report(lease, 'not_submitted');
    await service.advance(0);
    expect((await scene.job(lease.job_id)).status).toBe('expired');
  });

  it('is checked at accept and hand-off, before any timer', async () => {
    const leased = await scene.at('leased', soon());
    const accepted = await scene.at('accepted', soon());
    service.clock.set(service.fromNow(30 * SECOND));
    const accept = await scene.agent.accept(leased);
    expect([accept.status, accept.body.code]).toEqual([409, 'JOB_EXPIRED']);
    const handOff = await scene.agent.handoff(accepted);
    expect([handOff.status, handOff.body.code]).toEqual([409, 'JOB_EXPIRED']);
    expect((await scene.job(leased.job_id)).status).toBe('expired');
    expect((await scene.job(accepted.job_id)).status).toBe('expired');
  });

  it('is checked before a lease is granted', async () => {
    await scene.create(soon());
    service.clock.set(service.fromNow(30 * SECOND));
    expect(await scene.agent.lease(1)).toEqual([]);
  });
});

describe('the review window', () => {
  it('lasts 72 hours even for a short-lived job', async () => {
    const lease = await scene.parked(soon());
    expect((await scene.job(lease.job_id)).expires_at).toBe(service.fromNow(3 * DAY));
    await expires(lease.job_id, 'manual_review');
  });

  it('does not shorten a longer life', async () => {
    const expires_at = service.fromNow(20 * DAY);
    const lease = await scene.parked({ expires_at });
    expect((await scene.job(lease.job_id)).expires_at).toBe(expires_at);
  });

  it('is kept by a retry and restarts when the job is parked again', async () => {
    const lease = await scene.parked();
    const until = (await scene.job(lease.job_id)).expires_at;
    await service.advance(2 * DAY);
    await scene.retry(lease.job_id);
    expect((await scene.job(lease.job_id)).expires_at).toBe(until);
    await scene.agent.heartbeat();
    await scene.agent.report(await scene.lease('spooled'), 'spooler_vanished');
    expect((await scene.job(lease.job_id)).expires_at).toBe(service.fromNow(3 * DAY));
  });

  it('accepts a late result before its end and only records one after it', async () => {
    const [early, late] = [await scene.parked(), await scene.parked()];
    await service.advance(3 * DAY - 1);
    expect(await scene.agent.report(early, 'spooler_completed')).toMatchObject({ result: 'applied' });
    await service.advance(1);
    expect(await scene.agent.report(late, 'spooler_completed')).toMatchObject({ result: 'late' });
    expect((await scene.job(late.job_id)).status).toBe('expired');
  });
});

describe('the content of a job', () => {
  const hasContent = async (jobId: string) => (await service.stores.contents.get(jobId)) !== undefined;

  it.each(['completed', 'cancelled', 'expired', 'failed for good'])(
    'is deleted a day after the job is %s',
    async (end) => {
      const lease = await scene.at(end === 'completed' ? 'completed' : 'leased', soon());
      if (end === 'cancelled') await scene.cancel(lease.job_id);
      if (end === 'expired') await service.advance(30 * SECOND);
      if (end === 'failed for good') await scene.agent.report(lease, 'rejected');
      await service.advance(DAY - 1);
      expect(await hasContent(lease.job_id)).toBe(true);
      await service.advance(1);
      expect(await hasContent(lease.job_id)).toBe(false);
    },
  );

  it('is kept while a manual retry is possible, and a day longer', async () => {
    await service.operate('POST', `/accounts/${scene.accountId}/plan`, { max_auto_retries: 1 });
    const lease = await scene.at('accepted');
    await scene.agent.report(lease, 'not_submitted');
    await service.advance(15 * SECOND);
    await scene.agent.report(await scene.lease('accepted'), 'not_submitted');
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({ retry_state: 'exhausted', can_retry: true });
    await service.advance(Date.parse(job.expires_at) - Date.parse(service.clock.now()));
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'failed', can_retry: false });
    expect((await scene.retry(lease.job_id)).body.code).toBe('SVC_JOB_STATE_CONFLICT');
    await service.advance(DAY - 1);
    expect(await hasContent(lease.job_id)).toBe(true);
    await service.advance(1);
    expect(await hasContent(lease.job_id)).toBe(false);
  });

  it('is kept when a retry brings the job back', async () => {
    const lease = await scene.parked();
    await service.advance(2 * DAY);
    await scene.retry(lease.job_id);
    await service.advance(12 * HOUR);
    expect(await hasContent(lease.job_id)).toBe(true);
    await scene.lease('completed');
    await service.advance(DAY);
    expect(await hasContent(lease.job_id)).toBe(false);
  });
});
