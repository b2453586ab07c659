import { randomUUID } from 'node:crypto';
import { epochMs, instant } from '../../../src/kernel/time.js';
import { JobScene, type ShownJob } from '../../kit/job-scene.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { ALL_SCOPES, createJob, onePrinter, TestAgent } from '../../kit/world.js';
import { SECOND, MINUTE, HOUR, DAY } from '../../surface/asking.js';

let service: TestService;
let scene: JobScene;
beforeEach(async () => {
  service = await startTestService();
  scene = await JobScene.open(service);
});
afterEach(() => service.close());

const inMs = (ms: number) => instant(epochMs(service.clock.now()) + ms);
const set = (ms: number) => service.clock.set(inMs(ms));

/** Every duration and every order of times shown by a job. */
function expectSane(job: ShownJob): void {
  expect(job.duration_ms).toBeGreaterThanOrEqual(0);
  for (const field of ['created_at', 'updated_at', 'expires_at', 'completed_at', 'cancelled_at']) {
    const at = job[field];
    if (at !== undefined) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
}

describe('the exact expiry of', () => {
  it.each([
    [60, -1, 200],
    [60, 0, 401],
    [1800, -1, 200],
    [1800, 0, 401],
  ])('an enrolment token of %i s, %i ms', async (ttl, past, status) => {
    const path = `/accounts/${scene.accountId}/enrollments`;
    const { enrollment_token, expires_at } = await service.operate('POST', path, { ttl });
    expect(expires_at).toBe(inMs(ttl * SECOND));
    await service.advance(ttl * SECOND + past);
    const json = { enrollment_token, installation_id: randomUUID(), hostname: 'TILL' };
    expect((await service.call('POST', '/managed/enroll', { json })).status).toBe(status);
  });

  it('a device credential, 180 days after the enrolment', async () => {
    await service.advance(180 * DAY - 1);
    expect((await scene.agent.heartbeat()).status).toBe(200);
    await service.advance(1);
    const { status, body } = await scene.agent.heartbeat();
    expect([status, body.code]).toEqual([401, 'CREDENTIAL_INVALID']);
  });

  it('an API key', async () => {
    const json = { scopes: ALL_SCOPES, expires_at: inMs(HOUR) };
    const { api_key } = await service.operate('POST', `/accounts/${scene.accountId}/keys`, json);
    const asked = () => service.call('GET', '/svc-api-account', { as: String(api_key) });
    await service.advance(HOUR - 1);
    expect((await asked()).status).toBe(200);
    await service.advance(1);
    expect((await asked()).status).toBe(401);
  });

  it('a lease', async () => {
    const lease = await scene.at('leased');
    await service.advance(MINUTE - 1);
    expect((await scene.job(lease.job_id)).status).toBe('leased');
    await service.advance(1);
    expect((await scene.job(lease.job_id)).status).toBe('queued');
  });

  it('the presence of a computer', async () => {
    const status = async () => {
      const { body } = await service.call('GET', '/svc-api-printers', { as: scene.key });
      return (body.data!.items as { status: string }[])[0]!.status;
    };
    await scene.agent.heartbeat();
    await service.advance(90 * SECOND - 1);
    expect(await status()).toBe('online');
    await service.advance(1);
    expect(await status()).toBe('offline');
    await scene.agent.heartbeat();
    expect(await status()).toBe('online');
  });

  it('a job, at accept', async () => {
    const [early, late] = [
      await scene.at('leased', { expires_at: inMs(10 * SECOND) }),
      await scene.at('leased', { expires_at: inMs(10 * SECOND) }),
    ];
    set(10 * SECOND - 1);
    expect((await scene.agent.accept(early)).status).toBe(200);
    set(1);
    expect((await scene.agent.accept(late)).body.code).toBe('JOB_EXPIRED');
    expect((await scene.agent.handoff(early)).body.code).toBe('JOB_EXPIRED');
  });

  it('the latest expiry accepted for a job', async () => {
    const ask = (ms: number) => createJob(service, scene.key, scene.printerId, { expires_at: inMs(ms) });
    expect((await ask(30 * DAY)).status).toBe(201);
    expect((await ask(30 * DAY + 1)).status).toBe(400);
    expect((await ask(1)).status).toBe(201);
    expect((await ask(0)).status).toBe(400);
  });

  it('the delay of a retry', async () => {
    const lease = await scene.at('accepted');
    await scene.agent.report(lease, 'not_submitted');
    await service.advance(15 * SECOND - 1);
    expect((await scene.job(lease.job_id)).status).toBe('failed');
    await service.advance(1);
    expect((await scene.job(lease.job_id)).status).toBe('queued');
  });

  it('an idempotency key, which can then be reused', async () => {
    const key = randomUUID();
    const create = () => createJob(service, scene.key, scene.printerId, {}, key);
    const first = (await create()).body.data!.job_id;
    await service.advance(DAY - 1);
    await scene.agent.heartbeat();
    expect((await create()).body.data!.job_id).toBe(first);
    await service.advance(1);
    expect((await create()).status).toBe(201);
  });
});

describe('a lease that is renewed for hours, at odd times', () => {
  it('lapses exactly one lease duration after the last renewal', async () => {
    const lease = await scene.at('leased');
    for (let time = 0; time < 120; time++) {
      await service.advance(17_003 + (time % 7) * 5_011);
      const { body } = await scene.agent.heartbeat(lease.lease_id);
      expect(body.data!.renewed).toEqual([{ lease_id: lease.lease_id, lease_expires_at: inMs(MINUTE) }]);
    }
    await service.advance(MINUTE - 1);
    expect((await scene.job(lease.job_id)).status).toBe('leased');
    await service.advance(1);
    expect((await scene.job(lease.job_id)).status).toBe('queued');
  }, 30_000);
});

describe('a clock that jumps back an hour', () => {
  it('lets every job continue, and shows no negative duration', async () => {
    const stages = ['leased', 'accepted', 'handed_off', 'spooled'] as const;
    const leases = [];
    for (const stage of stages) leases.push(await scene.at(stage));
    const parked = await scene.parked();
    const queued = await scene.create();
    set(-HOUR);
    await service.advance(SECOND);
    expect((await scene.cancel(queued)).status).toBe(200);
    expect((await scene.retry(parked.job_id)).status).toBe(200);
    for (const [n, lease] of leases.entries()) {
      expect((await scene.agent.heartbeat(lease.lease_id)).body.data!.lost).toEqual([]);
      if (n < 1) expect((await scene.agent.accept(lease)).status).toBe(200);
      if (n < 2) expect((await scene.agent.handoff(lease)).status).toBe(200);
      if (n < 3) expect(await scene.agent.report(lease, 'spooled')).toMatchObject({ result: 'applied' });
      expect(await scene.agent.report(lease, 'spooler_completed')).toMatchObject({ result: 'applied' });
    }
    for (const jobId of [...leases.map((lease) => lease.job_id), queued, parked.job_id]) {
      expectSane(await scene.job(jobId));
    }
    for (const lease of leases) expect((await scene.job(lease.job_id)).status).toBe('spooler_completed');
  });

  it('delays timers by an hour, and no more', async () => {
    const lease = await scene.at('leased');
    set(-HOUR);
    await service.advance(HOUR + MINUTE - 1);
    expect((await scene.job(lease.job_id)).status).toBe('leased');
    await service.advance(1);
    expect((await scene.job(lease.job_id)).status).toBe('queued');
  });
});

describe('a clock that jumps ahead ten years', () => {
  it('expires waiting jobs, and parks those that may have been printed', async () => {
    const leased = await scene.at('leased');
    const accepted = await scene.at('accepted');
    const handedOff = await scene.at('handed_off');
    const spooled = await scene.at('spooled');
    const completed = await scene.at('completed');
    const queued = await scene.create();
    set(3653 * DAY);
    await service.advance(30 * SECOND);
    const statusOf = async (jobId: string) => {
      const job = await scene.job(jobId);
      expectSane(job);
      return job.status;
    };
    expect(await statusOf(queued)).toBe('expired');
    expect(await statusOf(leased.job_id)).toBe('expired');
    expect(await statusOf(accepted.job_id)).toBe('expired');
    expect(await statusOf(completed.job_id)).toBe('spooler_completed');
    for (const { job_id } of [handedOff, spooled]) {
      expect(await scene.job(job_id)).toMatchObject({ status: 'manual_review', can_retry: true });
    }
    await service.advance(3 * DAY);
    for (const { job_id } of [handedOff, spooled]) expect(await statusOf(job_id)).toBe('expired');
    expect((await scene.agent.heartbeat()).status).toBe(401);
    expect(await service.stores.contents.get(completed.job_id)).toBeUndefined();
  });
});

describe('leap day', () => {
  const startAt = async (at: string) => {
    await service.close();
    service = await startTestService({ clock: new ManualClock(at) });
    scene = await JobScene.open(service);
  };

  it('is an ordinary day', async () => {
    await startAt('2028-02-28T23:59:59.500Z');
    const jobId = await scene.create();
    expect((await scene.job(jobId)).expires_at).toBe('2028-02-29T23:59:59.500Z');
    await service.advance(DAY - 1);
    expect((await scene.job(jobId)).status).toBe('queued');
    await service.advance(1);
    const job = await scene.job(jobId);
    expect(job).toMatchObject({ status: 'expired', duration_ms: DAY });
    expect(job.history.at(-1)!.created_at).toBe('2028-02-29T23:59:59.500Z');
  });

  it('belongs to February in the count of a plan', async () => {
    await startAt('2028-02-29T23:59:59.998Z');
    await service.operate('POST', `/accounts/${scene.accountId}/plan`, { jobs_per_month: 1 });
    const create = async () => (await createJob(service, scene.key, scene.printerId)).status;
    expect(await create()).toBe(201);
    await service.advance(1);
    expect(await create()).toBe(402);
    await service.advance(1);
    expect(service.clock.now()).toBe('2028-03-01T00:00:00.000Z');
    expect(await create()).toBe(201);
  });

  it('counts among the 180 days of a credential', async () => {
    await startAt('2027-09-10T12:00:00.000Z');
    const { agent } = await TestAgent.ready(service, scene.accountId, [onePrinter]);
    service.clock.set('2028-03-08T11:59:59.999Z');
    expect((await agent.heartbeat()).status).toBe(200);
    await service.advance(1);
    expect((await agent.heartbeat()).status).toBe(401);
  });
});
