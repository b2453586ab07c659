import { randomUUID } from 'node:crypto';
import { JobScene, type Stage } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { TestAgent, type Leased } from '../../kit/world.js';
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

const line = ({ job_id, lease_id, fence }: Leased, phase: string) => ({ job_id, lease_id, fence, phase });
const verdictsOf = async (...journal: object[]) =>
  (await scene.agent.start(journal)).reconcile.map(({ verdict }) => verdict);

describe('starting a session', () => {
  it.each<[Stage, string, string]>([
    ['leased', 'leased', 'continue'],
    ['leased', 'accepted', 'continue'],
    ['accepted', 'leased', 'continue'],
    ['accepted', 'accepted', 'continue'],
    ['handed_off', 'accepted', 'report'],
    ['handed_off', 'handing_off', 'report'],
    ['spooled', 'handed_off', 'report'],
    ['completed', 'handed_off', 'forget'],
  ])('reconciles a job that is %s with the journal phase %s: %s', async (stage, phase, verdict) => {
    const lease = await scene.at(stage);
    const before = await scene.job(lease.job_id);
    const { reconcile } = await scene.agent.start([line(lease, phase)]);
    expect(reconcile).toEqual([{ job_id: lease.job_id, fence: 1, verdict }]);
    expect(await scene.job(lease.job_id)).toEqual(before);
  });

  it('abandons cancelled, expired, superseded and parked jobs', async () => {
    const cancelled = await scene.at('leased');
    await scene.cancel(cancelled.job_id);
    const released = await scene.at('leased');
    await scene.agent.release(released);
    await scene.lease('accepted');
    const parked = await scene.parked();
    expect(
      await verdictsOf(
        line(cancelled, 'leased'),
        line(released, 'accepted'),
        line(released, 'handing_off'),
        line(parked, 'handed_off'),
      ),
    ).toEqual(['abandon', 'abandon', 'report', 'report']);
    const expiring = await scene.at('leased', {
      expires_at: service.fromNow(5000),
    });
    await service.advance(5 * SECOND);
    expect(await verdictsOf(line(expiring, 'accepted'))).toEqual(['abandon']);
  });

  it('forgets unknown jobs and jobs of other computers', async () => {
    const { agent: other } = await TestAgent.ready(service, scene.accountId);
    const lease = await scene.at('accepted');
    const unknown = { ...lease, job_id: randomUUID() };
    expect(await verdictsOf(line(unknown, 'accepted'))).toEqual(['forget']);
    const { reconcile } = await other.start([line(lease, 'accepted')]);
    expect(reconcile.map(({ verdict }) => verdict)).toEqual(['forget']);
  });

  it('voids leases not named in the journal, except after the hand-off', async () => {
    const named = await scene.at('accepted');
    const leased = await scene.at('leased');
    const accepted = await scene.at('accepted');
    const handedOff = await scene.at('handed_off');
    const spooled = await scene.at('spooled');
    await scene.agent.start([line(named, 'accepted')]);
    const after = async ({ job_id }: Leased) => scene.job(job_id);
    expect(await after(named)).toMatchObject({ status: 'accepted_by_agent' });
    expect(await after(leased)).toMatchObject({ status: 'queued' });
    expect(await scene.lastLine(leased.job_id)).toMatchObject({
      event_type: 'job.lease_lapsed',
      details: { reason: 'session_replaced' },
    });
    expect(await after(accepted)).toMatchObject({
      status: 'failed',
      failure_class: 'temporary',
      failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
      retry_state: 'scheduled',
    });
    expect(await after(handedOff)).toMatchObject({ status: 'accepted_by_agent' });
    expect(await after(spooled)).toMatchObject({ status: 'sent_to_spooler' });
    await service.advance(10 * MINUTE);
    expect(await after(handedOff)).toMatchObject({ status: 'manual_review' });
  });

  it('extends continued leases with the same fence', async () => {
    const lease = await scene.at('leased');
    await service.advance(50 * SECOND);
    expect(await verdictsOf(line(lease, 'leased'))).toEqual(['continue']);
    await service.advance(59 * SECOND);
    expect((await scene.agent.accept(lease)).status).toBe(200);
  });

  it('replaces the older session at its next heartbeat or lease call', async () => {
    const older = scene.agent.sessionId;
    await scene.agent.start();
    const json = { session_id: older, leases: [] };
    const beat = await scene.agent.call('POST', '/heartbeat', { json });
    expect([beat.status, beat.body.code]).toEqual([409, 'SESSION_REPLACED']);
    const poll = { session_id: older, wait_seconds: 0, max: 1 };
    expect((await scene.agent.call('POST', '/leases', { json: poll })).body.code).toBe('SESSION_REPLACED');
    expect((await scene.agent.heartbeat()).status).toBe(200);
  });

  it('ends a long poll of the older session as soon as there is work', async () => {
    const waiting = scene.agent
      .call('POST', '/leases', { json: { session_id: scene.agent.sessionId, wait_seconds: 50, max: 1 } })
      .then((answered) => answered.body.code);
    await scene.agent.start();
    const jobId = await scene.create();
    expect(await waiting).toBe('SESSION_REPLACED');
    expect((await scene.lease()).job_id).toBe(jobId);
  });
});

describe('a heartbeat', () => {
  it('renews the valid leases that it names', async () => {
    const [named, unnamed] = [await scene.at('leased'), await scene.at('leased')];
    await service.advance(40 * SECOND);
    const { body } = await scene.agent.heartbeat(named.lease_id);
    const lease_expires_at = service.fromNow(MINUTE);
    expect(body.data).toEqual({
      renewed: [{ lease_id: named.lease_id, lease_expires_at }],
      lost: [],
      resync_inventory: false,
    });
    await service.advance(MINUTE - 1);
    expect((await scene.job(named.job_id)).status).toBe('leased');
    expect((await scene.job(unnamed.job_id)).status).toBe('queued');
    await service.advance(1);
    expect((await scene.job(named.job_id)).status).toBe('queued');
  });

  it('reports lost leases with their reasons', async () => {
    const cancelled = await scene.at('leased');
    await scene.cancel(cancelled.job_id);
    const lapsed = await scene.at('leased');
    await service.advance(MINUTE);
    const gone = await scene.lease('accepted');
    expect(gone.job_id).toBe(lapsed.job_id);
    await service.advance(2 * MINUTE);
    const expiring = await scene.at('accepted', {
      expires_at: service.fromNow(5000),
    });
    await service.advance(5 * SECOND);
    const ids = [cancelled, lapsed, gone, expiring].map((lease) => lease.lease_id);
    const { body } = await scene.agent.heartbeat(...ids);
    expect((body.data!.lost as { reason: string }[]).map(({ reason }) => reason)).toEqual([
      'cancelled',
      'superseded',
      'lapsed',
      'expired',
    ]);
    expect(body.data!.renewed).toEqual([]);
  });

  it('of another computer renews nothing', async () => {
    const { agent: other } = await TestAgent.ready(service, scene.accountId);
    const lease = await scene.at('accepted');
    await service.advance(100 * SECOND);
    const { body } = await other.heartbeat(lease.lease_id);
    expect(body.data).toMatchObject({ renewed: [], lost: [{ reason: 'superseded' }] });
    await service.advance(20 * SECOND);
    expect((await scene.job(lease.job_id)).status).toBe('failed');
  });
});

describe('a report', () => {
  it('on another lease renews nothing', async () => {
    const held = await scene.at('accepted');
    const old = await scene.at('leased');
    await scene.agent.release(old);
    await scene.lease('leased');
    await service.advance(100 * SECOND);
    const claiming = { ...old, lease_id: held.lease_id };
    expect(await scene.agent.report(claiming, 'spooler_vanished')).toMatchObject({ result: 'late' });
    await service.advance(20 * SECOND);
    expect((await scene.job(held.job_id)).status).toBe('failed');
  });
});

describe('releasing a lease', () => {
  it('requeues the job at once and can be repeated', async () => {
    const lease = await scene.at('leased');
    for (let time = 0; time < 2; time++) {
      expect((await scene.agent.release(lease)).body.data).toEqual({
        lease_id: lease.lease_id,
        released: true,
      });
    }
    expect(await scene.history(lease.job_id)).toEqual([
      'job.created',
      'job.queued',
      'job.leased',
      'job.lease_released',
    ]);
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'queued', retry_count: 0 });
    expect((await scene.lease()).fence).toBe(2);
  });

  it('is refused after the accept, and when the lease is lost, unknown or of another computer', async () => {
    const accepted = await scene.at('accepted');
    expect((await scene.agent.release(accepted)).body.code).toBe('LEASE_LOST');
    const lapsed = await scene.at('leased');
    await scene.cancel(lapsed.job_id);
    expect((await scene.agent.release(lapsed)).body.code).toBe('LEASE_LOST');
    const unknown = await scene.agent.release({ ...accepted, lease_id: randomUUID() });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'LEASE_NOT_FOUND']);
    const { agent: other } = await TestAgent.ready(service, scene.accountId);
    expect((await other.release(accepted)).status).toBe(404);
    expect((await other.accept(accepted)).status).toBe(404);
    expect((await other.handoff(accepted)).status).toBe(404);
    expect(await other.report(accepted, 'not_submitted')).toMatchObject({ result: 'rejected' });
  });
});

describe('heartbeats of leases', () => {
  it('are deleted at the end of the lease', async () => {
    const lapsed = await scene.at('leased');
    await scene.agent.heartbeat(lapsed.lease_id);
    const completed = await scene.at('spooled');
    const keys = [lapsed, completed].map(({ lease_id }) => `lease:${lease_id}`);
    const { liveness } = service.stores;
    const [unheardOf] = await liveness.lastHeartbeats([`lease:${randomUUID()}`]);
    expect(await liveness.lastHeartbeats(keys)).not.toContain(unheardOf);
    await scene.agent.report(completed, 'spooler_completed');
    await service.advance(MINUTE);
    expect(await liveness.lastHeartbeats(keys)).toEqual([unheardOf, unheardOf]);
  });
});
