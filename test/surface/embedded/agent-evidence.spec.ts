import { randomUUID } from 'node:crypto';
import { sceneForEach } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import { TestAgent, type Leased } from '../../kit/world.js';
import { SECOND, DAY } from '../asking.js';

const service = serviceForAll();
const scene = sceneForEach(service);

const line = ({ job_id, lease_id, fence }: Leased, phase: string) => ({ job_id, lease_id, fence, phase });

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

describe('releasing a job again and again', () => {
  const releaseTimes = async (times: number) => {
    for (let n = 0; n < times; n++) await scene.agent.release((await scene.agent.lease(1))[0]!);
  };

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
});
