import { epochMs, instant } from '../../../src/kernel/time.js';
import { JobScene, type ShownJob } from '../../kit/job-scene.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { createJob, onePrinter, TestAgent } from '../../kit/world.js';
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
