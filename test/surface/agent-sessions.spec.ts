import { randomUUID } from 'node:crypto';
import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { TestAgent, type Leased } from '../kit/world.js';
import { DAY, MINUTE, newJob, SECOND, verdict } from './asking.js';

describe('sessions of an agent', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);

  const leaseOne = async (): Promise<Leased> => {
    await scene.create();
    return (await scene.agent.lease(1))[0]!;
  };
  const lostOf = async (lease: Leased) => (await scene.agent.heartbeat(lease.lease_id)).body.data!.lost;

  describe('starting it', () => {
    it('returns all intervals and nothing to reconcile for a new agent', async () => {
      const { body } = await scene.agent.call('POST', '/sessions', {
        json: {
          installation_id: scene.agent.installationId,
          agent_version: '2.0.0',
          installer_version: '2.0.1',
          operating_system: 'Windows 12',
          hostname: 'BACK-OFFICE',
          journal: [],
        },
      });
      expect(body.code).toBe('OK');
      expect(body.data).toEqual({
        session_id: expect.any(String),
        computer_id: scene.agent.computerId,
        position: expect.any(String),
        config: {
          poll_wait_seconds: 25,
          heartbeat_seconds: 20,
          lease_seconds: 60,
          max_leases: 64,
          max_leases_per_printer: 4,
        },
        reconcile: [],
        credential_expires_at: service.fromNow(180 * DAY),
      });
      const { body: listed } = await service.call('GET', '/svc-api-computers', { as: scene.key });
      expect((listed.data!.items as object[])[0]).toMatchObject({
        hostname: 'BACK-OFFICE',
        operating_system: 'Windows 12',
        agent_version: '2.0.0',
        installer_version: '2.0.1',
        status: 'online',
      });
    });

    it('refuses an installation other than the enrolled one', async () => {
      const json = {
        installation_id: randomUUID(),
        agent_version: '1',
        operating_system: 'x',
        hostname: 'x',
        journal: [],
      };
      expect(verdict(await scene.agent.call('POST', '/sessions', { json }))).toBe('400 INVALID_REQUEST');
    });

    it.each([
      ['journal', undefined],
      ['journal', [{ job_id: 'x' }]],
      ['journal', [{ job_id: randomUUID(), lease_id: randomUUID(), fence: 1, phase: 'asleep' }]],
      ['agent_version', 'x'.repeat(41)],
      ['installer_version', 'x'.repeat(41)],
      ['hostname', 7],
    ])('refuses a wrong %s', async (field, value) => {
      const whole = {
        installation_id: scene.agent.installationId,
        agent_version: '1',
        operating_system: 'x',
        hostname: 'x',
        journal: [],
      };
      const refused = await scene.agent.call('POST', '/sessions', { json: { ...whole, [field]: value } });
      expect(verdict(refused)).toBe('400 INVALID_REQUEST');
      expect(refused.body.message).toContain(field);
    });

    it('replaces the older session, which gets 409 at its next heartbeat and lease call', async () => {
      const older = scene.agent.sessionId;
      await scene.agent.start();
      const stale = { session_id: older };
      expect(verdict(await scene.agent.call('POST', '/heartbeat', { json: { ...stale, leases: [] } }))).toBe(
        '409 SESSION_REPLACED',
      );
      const poll = { json: { ...stale, wait_seconds: 0, max: 1 } };
      expect(verdict(await scene.agent.call('POST', '/leases', poll))).toBe('409 SESSION_REPLACED');
      expect((await scene.agent.heartbeat()).status).toBe(200);
    });

    it('answers a repeat of the same start with the same session, which stays valid', async () => {
      const startId = randomUUID();
      const { session_id } = await scene.agent.start([], startId);
      const lease = await leaseOne();
      expect((await scene.agent.start([], startId)).session_id).toBe(session_id);
      expect((await scene.agent.heartbeat(lease.lease_id)).status).toBe(200);
      expect((await scene.agent.accept(lease)).status).toBe(200);
    });

    it('starts one session for concurrent repeats of one start', async () => {
      const startId = randomUUID();
      const all = await Promise.all(Array.from({ length: 5 }, () => scene.agent.start([], startId)));
      expect(new Set(all.map(({ session_id }) => session_id)).size).toBe(1);
    });

    it('refuses a late repeat of a replaced start, which would void the newer session', async () => {
      const startId = randomUUID();
      await scene.agent.start([], startId);
      await scene.agent.start([], randomUUID());
      await expect(scene.agent.start([], startId)).rejects.toThrow('SESSION_REPLACED');
      expect((await scene.agent.heartbeat()).status).toBe(200);
    });

    it('ends a long poll of the older session with 409 when a job arrives', async () => {
      const older = scene.agent.sessionId;
      const poll = scene.agent.call('POST', '/leases', {
        json: { session_id: older, wait_seconds: 25, max: 1 },
      });
      await scene.agent.start();
      await scene.create();
      expect(verdict(await poll)).toBe('409 SESSION_REPLACED');
    });
  });

  describe('reconciling its journal', () => {
    const named = (lease: Leased, phase: string) => {
      const { job_id, lease_id, fence } = lease;
      return { job_id, lease_id, fence, phase };
    };
    const verdicts = async (...journal: object[]) =>
      (await scene.agent.start(journal)).reconcile.map((one) => one.verdict);

    it('continues a lease named in the journal', async () => {
      const lease = await leaseOne();
      expect(await verdicts(named(lease, 'leased'))).toEqual(['continue']);
      expect((await scene.agent.accept(lease)).status).toBe(200);
      expect(await verdicts(named(lease, 'accepted'))).toEqual(['continue']);
      expect((await scene.agent.handoff(lease)).status).toBe(200);
      expect(await verdicts(named(lease, 'handing_off'))).toEqual(['report']);
    });

    it('voids leases not named in the journal', async () => {
      const [leased, accepted, handedOff] = [await leaseOne(), await leaseOne(), await leaseOne()];
      await scene.agent.accept(accepted);
      await scene.agent.accept(handedOff);
      await scene.agent.handoff(handedOff);
      await scene.agent.start();
      expect((await scene.job(leased.job_id)).status).toBe('queued');
      expect(await scene.job(accepted.job_id)).toMatchObject({
        status: 'failed',
        failure_class: 'temporary',
        failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
        retry_state: 'scheduled',
      });
      expect((await scene.job(handedOff.job_id)).status).toBe('accepted_by_agent');
    });

    it('answers abandon for cancelled jobs and forget for unknown ones', async () => {
      const lease = await leaseOne();
      await scene.cancel(lease.job_id);
      const strange = { ...lease, job_id: randomUUID() };
      expect(await verdicts(named(lease, 'leased'), named(strange, 'handed_off'))).toEqual([
        'abandon',
        'forget',
      ]);
    });
  });

  describe('by heartbeats', () => {
    it('renews valid leases', async () => {
      const lease = await leaseOne();
      await service.advance(20 * SECOND);
      const { body } = await scene.agent.heartbeat(lease.lease_id);
      expect(body.data).toEqual({
        renewed: [{ lease_id: lease.lease_id, lease_expires_at: service.fromNow(MINUTE) }],
        lost: [],
        resync_inventory: false,
      });
      await service.advance(MINUTE - 1);
      expect((await scene.job(lease.job_id)).status).toBe('leased');
      await service.advance(1);
      expect((await scene.job(lease.job_id)).status).toBe('queued');
    });

    it('renews without limit', async () => {
      const lease = await leaseOne();
      for (let minute = 0; minute < 20; minute++) {
        await service.advance(50 * SECOND);
        expect((await scene.agent.heartbeat(lease.lease_id)).body.data!.renewed).toHaveLength(1);
      }
      expect((await scene.job(lease.job_id)).status).toBe('leased');
    });

    it('reports a lost lease with its reason', async () => {
      const lease = await leaseOne();
      await scene.cancel(lease.job_id);
      expect(await lostOf(lease)).toEqual([{ lease_id: lease.lease_id, reason: 'cancelled' }]);
    });

    it("calls another computer's lease superseded and renews nothing of it", async () => {
      const { agent: other, printerId: theirs } = await TestAgent.ready(service, scene.accountId);
      await newJob(service, scene.key, theirs);
      const [lease] = (await other.lease(1)) as [Leased];
      const { body } = await scene.agent.heartbeat(lease.lease_id);
      expect(body.data).toMatchObject({
        renewed: [],
        lost: [{ lease_id: lease.lease_id, reason: 'superseded' }],
      });
    });

    it('asks for the inventory of a computer without printers', async () => {
      const bare = await TestAgent.enrol(service, scene.accountId);
      await bare.start();
      expect((await bare.heartbeat()).body.data!.resync_inventory).toBe(true);
    });

    it('is forgotten at the end of the lease', async () => {
      const [lapsed, completed] = [await leaseOne(), await leaseOne()];
      await scene.agent.heartbeat(lapsed.lease_id, completed.lease_id);
      const keys = [lapsed, completed].map(({ lease_id }) => `lease:${lease_id}`);
      const { liveness } = service.stores;
      const [unheardOf] = await liveness.lastHeartbeats([`lease:${randomUUID()}`]);
      expect(await liveness.lastHeartbeats(keys)).not.toContain(unheardOf);
      await scene.agent.report(completed, 'rejected');
      await service.advance(MINUTE);
      expect(await liveness.lastHeartbeats(keys)).toEqual([unheardOf, unheardOf]);
    });

    it('is no report about another lease', async () => {
      const held = await leaseOne();
      await scene.agent.accept(held);
      const old = await leaseOne();
      await scene.agent.release(old);
      await scene.agent.lease(1);
      await service.advance(100 * SECOND);
      const claiming = { ...old, lease_id: held.lease_id };
      expect(await scene.agent.report(claiming, 'spooler_vanished')).toMatchObject({ result: 'late' });
      await service.advance(20 * SECOND);
      expect((await scene.job(held.job_id)).status).toBe('failed');
    });

    it('requires a session of this computer', async () => {
      const json = { session_id: randomUUID(), leases: [] };
      expect(verdict(await scene.agent.call('POST', '/heartbeat', { json }))).toBe('409 SESSION_REPLACED');
      expect(verdict(await scene.agent.call('POST', '/heartbeat', { json: { leases: [] } }))).toBe(
        '400 INVALID_REQUEST',
      );
    });
  });
});
