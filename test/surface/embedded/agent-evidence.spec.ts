import { randomUUID } from 'node:crypto';
import { JobScene, type Stage } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { TestAgent, type Leased } from '../../kit/world.js';
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

const line = ({ job_id, lease_id, fence }: Leased, phase: string) => ({ job_id, lease_id, fence, phase });
const unexpected = {
  status: 'manual_review',
  failure_class: 'ambiguous',
  failure_code: 'UNEXPECTED_EVIDENCE',
  retry_state: 'manual_review',
  can_retry: true,
};

type Beginning = () => Promise<Leased>;
const at =
  (stage: Stage): Beginning =>
  () =>
    scene.at(stage);
const beginnings: [string, Beginning][] = [
  ['leased', at('leased')],
  ['accepted', at('accepted')],
  [
    'failed with a retry scheduled',
    async () => {
      const lease = await scene.at('accepted');
      await service.advance(120 * SECOND);
      return lease;
    },
  ],
  [
    'queued after a release',
    async () => {
      const lease = await scene.at('leased');
      await scene.agent.release(lease);
      return lease;
    },
  ],
  [
    'queued after an automatic retry',
    async () => {
      const lease = await scene.at('handed_off');
      await scene.agent.report(lease, 'not_submitted');
      await service.advance(15 * SECOND);
      return lease;
    },
  ],
];

/** No timer may requeue the job, however long the agent polls. */
async function expectAtRest(): Promise<void> {
  for (let n = 0; n < 10; n++) {
    await service.advance(300 * SECOND);
    await scene.agent.heartbeat();
    expect(await scene.agent.lease()).toEqual([]);
  }
}

describe('evidence of a hand-off unknown to the service', () => {
  it.each(beginnings)('parks a job that is %s, when reported as spooled', async (_, begin) => {
    const lease = await begin();
    expect(await scene.agent.report(lease, 'spooled', { spooler_job_id: '7' })).toMatchObject({
      result: 'applied',
    });
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({ ...unexpected, attempt_count: 1, spooler_job_id: '7' });
    expect(Object.keys(job)).not.toContain('next_attempt_at');
    await expectAtRest();
    expect(await scene.agent.report(lease, 'spooler_completed')).toMatchObject({ result: 'applied' });
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'spooler_completed', is_final: true });
  });

  it.each(beginnings)('completes a job that is %s, when reported as completed', async (_, begin) => {
    const lease = await begin();
    expect(await scene.agent.report(lease, 'spooler_completed')).toMatchObject({ result: 'applied' });
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({ status: 'spooler_completed', completed_at: service.clock.now() });
    for (const gone of ['failure_code', 'next_attempt_at']) expect(Object.keys(job)).not.toContain(gone);
    await expectAtRest();
  });

  it.each(beginnings)('parks a job that is %s, when the journal names its hand-off', async (_, begin) => {
    const lease = await begin();
    const { reconcile } = await scene.agent.start([line(lease, 'handing_off')]);
    expect(reconcile).toEqual([{ job_id: lease.job_id, fence: 1, verdict: 'report' }]);
    expect(await scene.job(lease.job_id)).toMatchObject(unexpected);
    await scene.agent.report(lease, 'not_submitted');
    expect(await scene.job(lease.job_id)).toMatchObject(unexpected);
    await expectAtRest();
  });

  it('wins for a fence unknown to the store, and the next fence is higher', async () => {
    const printed = await scene.at('completed');
    const jobId = await scene.create();
    const lost = { ...printed, job_id: jobId, lease_id: randomUUID(), fence: 4 };
    expect(await scene.agent.report(lost, 'spooled')).toMatchObject({ result: 'applied' });
    expect(await scene.job(jobId)).toMatchObject({ ...unexpected, attempt_count: 4 });
    await scene.retry(jobId);
    expect((await scene.lease()).fence).toBe(5);
  });

  it('changes nothing after a manual retry', async () => {
    const lease = await scene.parked();
    await scene.retry(lease.job_id);
    expect(await scene.agent.report(lease, 'spooled')).toMatchObject({ result: 'late' });
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'queued' });
  });

  it('is ignored for a job of another computer', async () => {
    const { agent: other } = await TestAgent.ready(service, scene.accountId);
    const lease = await scene.at('accepted');
    expect(await other.report(lease, 'spooled')).toMatchObject({ code: 'JOB_NOT_FOUND' });
    await other.start([line(lease, 'handed_off')]);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'accepted_by_agent' });
  });
});

describe('jobs unknown to the service', () => {
  const reported = async () =>
    (await service.stores.events.load(`computer-${scene.agent.computerId}`))
      .filter(({ type }) => type === 'UnknownJobReported')
      .map(({ data }) => data);

  it('are recorded once each if the journal names their hand-off', async () => {
    const lease = { job_id: randomUUID(), lease_id: randomUUID(), fence: 3 };
    const entry = { ...lease, phase: 'handed_off' };
    const untouched = { ...lease, job_id: randomUUID(), phase: 'accepted' };
    const { agent: other } = await TestAgent.ready(service, scene.accountId);
    const known = line(await scene.at('accepted'), 'handed_off');
    await other.start([known]);
    for (let n = 0; n < 2; n++) await scene.agent.start([entry, untouched]);
    const { job_id: jobId, lease_id: leaseId, fence } = lease;
    expect(await reported()).toEqual([{ jobId, leaseId, fence, phase: 'handed_off' }]);
    const events = await service.stores.events.load(`computer-${other.computerId}`);
    expect(events.map(({ type }) => type)).not.toContain('UnknownJobReported');
  });

  it('are recorded up to a hundred per computer', async () => {
    const journal = Array.from({ length: 120 }, () => ({
      job_id: randomUUID(),
      lease_id: randomUUID(),
      fence: 1,
      phase: 'handing_off',
    }));
    await scene.agent.start(journal);
    expect(await reported()).toHaveLength(100);
  });
});

describe('late results of one job', () => {
  it('are answered but not stored beyond 32', async () => {
    const lease = await scene.at('completed');
    for (let n = 0; n < 40; n++) {
      expect(await scene.agent.report(lease, 'spooler_vanished')).toMatchObject({ result: 'late' });
    }
    const types = await scene.history(lease.job_id);
    expect(types.filter((type) => type === 'job.late_result_recorded')).toHaveLength(32);
  });
});

describe('releasing a job again and again', () => {
  const releaseTimes = async (times: number) => {
    for (let n = 0; n < times; n++) await scene.agent.release((await scene.agent.lease(1))[0]!);
  };

  it('delays the next lease by 1, 2, 4 … 60 seconds after five releases', async () => {
    const jobId = await scene.create();
    await releaseTimes(5);
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await scene.agent.lease(1)).toEqual([]);
      await service.advance(wait * SECOND - 1);
      await scene.agent.heartbeat();
      expect(await scene.agent.lease(1)).toEqual([]);
      await service.advance(1);
      await releaseTimes(1);
    }
    expect(await scene.job(jobId)).toMatchObject({ status: 'queued' });
  });

  it('gives a long poll the job after the delay and other jobs at once', async () => {
    const jobId = await scene.create({ expires_at: service.fromNow(DAY) });
    await releaseTimes(5);
    await service.advance(SECOND);
    await scene.agent.heartbeat();
    await releaseTimes(1);
    const other = await scene.create();
    expect((await scene.agent.lease(1)).map(({ job_id }) => job_id)).toEqual([other]);
    const json = { session_id: scene.agent.sessionId, wait_seconds: 25, max: 1 };
    const { pending } = service.clock;
    const poll = scene.agent.call('POST', '/leases', { json });
    while (service.clock.pending === pending) await new Promise(setImmediate);
    await service.advance(2 * SECOND);
    const { status, body } = await poll;
    expect(status).toBe(200);
    expect((body.data!.leases as Leased[]).map(({ job_id }) => job_id)).toEqual([jobId]);
  });

  it('is reset by an accept', async () => {
    await scene.create();
    await releaseTimes(4);
    await scene.lease('accepted');
    expect(await scene.agent.lease(1)).toEqual([]);
  });
});
