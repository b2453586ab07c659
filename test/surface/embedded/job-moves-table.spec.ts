import { JobScene } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import type { Leased } from '../../kit/world.js';
import { SECOND, MINUTE } from '../asking.js';

let service: TestService;
let scene: JobScene;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  scene = await JobScene.open(service);
});

/** Sends a heartbeat that names the lease every twenty seconds for this long. */
async function keepAlive(lease: Leased, forMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 20 * SECOND) {
    await service.advance(Math.min(20 * SECOND, forMs - passed));
    await scene.agent.heartbeat(lease.lease_id);
  }
}

describe('a queued job', () => {
  it('is leased to one of many polls', async () => {
    const jobId = await scene.create();
    const polls = await Promise.all(Array.from({ length: 20 }, () => scene.agent.lease(1)));
    expect(polls.flat()).toHaveLength(1);
    expect(polls.flat()[0]).toMatchObject({
      job_id: jobId,
      fence: 1,
      document_name: `svc:${jobId}:1`,
      lease_expires_at: expect.stringContaining('Z'),
    });
    const job = await scene.job(jobId);
    expect(job).toMatchObject({ status: 'leased', attempt_count: 1, can_cancel: true, is_final: false });
    expect(job.last_attempt_at).toBe(service.clock.now());
  });

  it('is one of at most four for concurrent polls', async () => {
    for (let n = 0; n < 8; n++) await scene.create();
    const polls = await Promise.all(Array.from({ length: 10 }, () => scene.agent.lease(2)));
    expect(new Set(polls.flat().map((lease) => lease.job_id)).size).toBe(4);
    expect(polls.flat()).toHaveLength(4);
  });

  it('is leased oldest first, at most four at a time', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await scene.create());
    const first = await scene.agent.lease(10);
    expect(first.map((lease) => lease.job_id)).toEqual(ids.slice(0, 4));
    expect(await scene.agent.lease(10)).toEqual([]);
    await scene.agent.accept(first[0]!);
    expect(await scene.agent.lease(10)).toEqual([]);
    await scene.agent.handoff(first[0]!);
    expect((await scene.agent.lease(10)).map((lease) => lease.job_id)).toEqual([ids[4]]);
  });

  it('waits while its printer is offline, without a failed attempt', async () => {
    const jobId = await scene.create();
    await service.advance(2 * MINUTE);
    expect(await scene.job(jobId)).toMatchObject({ status: 'queued', attempt_count: 0, retry_state: 'none' });
    expect((await scene.agent.lease(1))[0]!.job_id).toBe(jobId);
  });

  it('is not leased while the account is suspended, but held jobs may finish', async () => {
    const held = await scene.at('accepted');
    const waiting = await scene.create();
    await service.operate('POST', `/accounts/${scene.accountId}/suspend`);
    expect(await scene.agent.lease(4)).toEqual([]);
    expect((await scene.agent.handoff(held)).status).toBe(200);
    expect(await scene.agent.report(held, 'spooler_completed')).toMatchObject({ result: 'applied' });
    await service.operate('POST', `/accounts/${scene.accountId}/resume`);
    expect((await scene.agent.lease(4)).map((lease) => lease.job_id)).toEqual([waiting]);
  });
});

describe('a leased job', () => {
  it('is accepted only with the right content hash', async () => {
    const lease = await scene.at('leased');
    const wrong = await scene.agent.accept({ ...lease, content_hash: 'f'.repeat(64) });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'CONTENT_MISMATCH']);
    expect((await scene.agent.accept(lease)).body.data).toMatchObject({ status: 'accepted_by_agent' });
    expect((await scene.agent.accept(lease)).status).toBe(200);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'accepted_by_agent', can_cancel: false });
    const history = await scene.history(lease.job_id);
    expect(history.filter((type) => type === 'job.accepted_by_agent')).toHaveLength(1);
  });

  it('is refused to its previous holder', async () => {
    const older = await scene.at('leased');
    await scene.agent.release(older);
    const newer = await scene.lease();
    for (const wrong of [older, { ...newer, fence: 1 }, { ...older, fence: 2 }]) {
      expect((await scene.agent.accept(wrong)).body.code).toBe('LEASE_LOST');
    }
    await scene.agent.accept(newer);
    for (const wrong of [older, { ...newer, fence: 1 }, { ...older, fence: 2 }]) {
      expect((await scene.agent.handoff(wrong)).body.code).toBe('LEASE_LOST');
    }
    expect(await scene.job(newer.job_id)).toMatchObject({ status: 'accepted_by_agent' });
  });

  it('goes back to the queue when the lease lapses', async () => {
    const lease = await scene.at('leased');
    await service.advance(MINUTE - 1);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'leased' });
    await service.advance(1);
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'queued',
      retry_count: 0,
      attempt_count: 1,
    });
    expect(await scene.lastLine(lease.job_id)).toMatchObject({
      event_type: 'job.lease_lapsed',
      previous_status: 'leased',
      new_status: 'queued',
    });
    expect((await scene.agent.accept(lease)).body.code).toBe('LEASE_LOST');
    expect((await scene.agent.lease(1))[0]).toMatchObject({ job_id: lease.job_id, fence: 2 });
  });

  it('fails after five lapses in a row and is retried automatically', async () => {
    const jobId = await scene.create();
    for (let lapse = 1; lapse <= 5; lapse++) {
      expect((await scene.job(jobId)).status).toBe('queued');
      await scene.lease();
      await service.advance(MINUTE);
    }
    expect(await scene.job(jobId)).toMatchObject({
      status: 'failed',
      failure_code: 'LEASE_LAPSED',
      failure_class: 'temporary',
      retry_state: 'scheduled',
      attempt_count: 5,
    });
    await service.advance(15 * SECOND);
    expect(await scene.job(jobId)).toMatchObject({
      status: 'queued',
      retry_state: 'submitted',
      retry_count: 1,
    });
    await scene.lease();
    await service.advance(MINUTE);
    expect((await scene.job(jobId)).status).toBe('queued');
  });

  it('does not count a released lease among the lapses', async () => {
    const jobId = await scene.create();
    for (let lapse = 1; lapse <= 4; lapse++) {
      await scene.lease();
      await service.advance(MINUTE);
    }
    await scene.agent.release(await scene.lease());
    for (let lapse = 1; lapse <= 4; lapse++) {
      await scene.lease();
      await service.advance(MINUTE);
    }
    expect(await scene.job(jobId)).toMatchObject({ status: 'queued', attempt_count: 9 });
  });
});

describe('an accepted job, before the hand-off', () => {
  it('gets one hand-off per fence, shown in its history', async () => {
    const lease = await scene.at('accepted');
    const permits = await Promise.all(Array.from({ length: 10 }, () => scene.agent.handoff(lease)));
    expect(permits.map((permit) => permit.status)).toEqual(permits.map(() => 200));
    expect(permits[0]!.body.data).toEqual({ permit: true, permit_seconds: 15, position: expect.any(String) });
    const job = await scene.job(lease.job_id);
    expect(job.status).toBe('accepted_by_agent');
    expect(job.history.filter((line) => line.event_type === 'job.handoff_started')).toHaveLength(1);
    expect(job.history.at(-1)!.new_status).toBeUndefined();
  });

  it('needs the accept before the hand-off', async () => {
    const lease = await scene.at('leased');
    expect((await scene.agent.handoff(lease)).body.code).toBe('LEASE_LOST');
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'leased' });
  });

  it('fails when the agent is silent for the grace', async () => {
    const lease = await scene.at('accepted');
    await service.advance(2 * MINUTE - 1);
    expect((await scene.job(lease.job_id)).status).toBe('accepted_by_agent');
    await service.advance(1);
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'failed',
      failure_class: 'temporary',
      failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
      retry_state: 'scheduled',
      is_final: false,
      can_retry: true,
    });
    expect((await scene.agent.handoff(lease)).body.code).toBe('LEASE_LOST');
  });

  it('is kept by heartbeats, but no longer than the spool watch', async () => {
    const lease = await scene.at('accepted');
    await keepAlive(lease, 30 * MINUTE - SECOND);
    expect((await scene.job(lease.job_id)).status).toBe('accepted_by_agent');
    await service.advance(SECOND);
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'failed',
      failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
    });
  });

  it('fails when the agent reports not_submitted', async () => {
    const temporary = await scene.at('accepted');
    await scene.agent.report(temporary, 'not_submitted', { failure_code: 'QUEUE_STOPPED' });
    expect(await scene.job(temporary.job_id)).toMatchObject({
      status: 'failed',
      failure_class: 'temporary',
      failure_code: 'QUEUE_STOPPED',
      retry_state: 'scheduled',
    });
    const permanent = await scene.at('accepted');
    await scene.agent.report(permanent, 'not_submitted', { failure_class: 'permanent' });
    expect(await scene.job(permanent.job_id)).toMatchObject({
      status: 'failed',
      failure_class: 'permanent',
      retry_state: 'none',
      can_retry: false,
      is_final: false,
    });
  });
});

describe('an accepted job, after the hand-off', () => {
  it('is sent to the spooler, with the evidence', async () => {
    const lease = await scene.at('handed_off');
    const more = { spooler_provider: 'cups', spooler_job_id: '17' };
    expect(await scene.agent.report(lease, 'spooled', more)).toMatchObject({ result: 'applied' });
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'sent_to_spooler',
      spooler_provider: 'cups',
      spooler_job_id: '17',
      spooler_submitted_at: service.clock.now(),
    });
  });

  it('fails when the agent proves that nothing was submitted', async () => {
    const lease = await scene.at('handed_off');
    await scene.agent.report(lease, 'not_submitted', { failure_class: 'permanent' });
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'failed',
      failure_class: 'temporary',
      retry_state: 'scheduled',
    });
  });

  it('is parked after ten minutes without a report, despite heartbeats', async () => {
    const lease = await scene.at('handed_off');
    await keepAlive(lease, 10 * MINUTE - 1);
    expect((await scene.job(lease.job_id)).status).toBe('accepted_by_agent');
    await service.advance(1);
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'manual_review',
      failure_class: 'ambiguous',
      failure_code: 'HANDOFF_UNCONFIRMED',
      retry_state: 'manual_review',
      manual_review_at: service.clock.now(),
      can_retry: true,
    });
  });
});

describe('a job at the spooler', () => {
  it('is completed without claiming that it was printed', async () => {
    const lease = await scene.at('completed');
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({ status: 'spooler_completed', is_final: true, retry_state: 'none' });
    expect(job.history.at(-1)!.details).toMatchObject({ physical_print_confirmed: false });
  });

  it('has retry_state completed after a retry', async () => {
    const lease = await scene.at('accepted');
    await scene.agent.report(lease, 'not_submitted');
    await service.advance(15 * SECOND);
    const again = await scene.lease('completed');
    expect(again).toMatchObject({ job_id: lease.job_id, fence: 2 });
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({ status: 'spooler_completed', retry_state: 'completed', retry_count: 1 });
    expect(job.last_failure_at).toBeDefined();
    expect(Object.keys(job)).not.toEqual(expect.arrayContaining(['failure_code']));
    expect(Object.keys(job)).not.toEqual(expect.arrayContaining(['failure_class']));
  });

  it('fails permanently after a local cancel', async () => {
    const lease = await scene.at('spooled');
    await scene.agent.report(lease, 'spooler_cancelled');
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'failed',
      failure_class: 'permanent',
      failure_code: 'SPOOLER_CANCELLED_LOCALLY',
      retry_state: 'none',
    });
  });

  it.each([
    ['spooler_failed', {}, 'SPOOLER_ABORTED'],
    ['spooler_failed', { failure_class: 'permanent' }, 'SPOOLER_ABORTED'],
    ['spooler_vanished', {}, 'SPOOLER_VANISHED'],
    ['spooler_vanished', { failure_code: 'SPOOLER_RESTARTED' }, 'SPOOLER_VANISHED'],
  ])('is parked after %s %j', async (type, more, failure_code) => {
    const lease = await scene.at('spooled');
    expect(await scene.agent.report(lease, type, more)).toMatchObject({ result: 'applied' });
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'manual_review',
      failure_class: 'ambiguous',
      failure_code,
    });
  });

  it('is parked after thirty minutes of silence', async () => {
    const lease = await scene.at('spooled');
    await keepAlive(lease, 30 * MINUTE - 1);
    expect((await scene.job(lease.job_id)).status).toBe('sent_to_spooler');
    await service.advance(1);
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'manual_review',
      failure_code: 'SPOOLER_SILENT',
    });
  });
});
