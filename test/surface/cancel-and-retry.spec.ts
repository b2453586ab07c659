import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter } from '../kit/world.js';
import { DAY, HOUR, MINUTE, SECOND, verdict } from './asking.js';

describe('cancelling and retrying a job', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let jobId: string;
  beforeEach(async () => {
    jobId = await scene.create();
  });

  /** How to bring the job into each state. */
  const reach = {
    queued: async () => undefined,
    leased: () => scene.lease('leased'),
    accepted_by_agent: () => scene.lease('accepted'),
    handed_off: () => scene.lease('handed_off'),
    sent_to_spooler: () => scene.lease('spooled'),
    spooler_completed: () => scene.lease('completed'),
    failed_temporary: async () => {
      await scene.agent.report(await reach.leased(), 'not_submitted');
    },
    failed_permanent: async () => {
      await scene.agent.report(await reach.leased(), 'rejected');
    },
    manual_review: async () => {
      await scene.agent.report(await reach.handed_off(), 'spooler_vanished');
    },
    cancelled: async () => {
      await scene.cancel(jobId);
    },
    expired: async () => {
      await service.advance(DAY);
    },
  };
  type Reached = keyof typeof reach;
  const job = () => scene.job(jobId);

  describe('cancel', () => {
    it.each<[Reached, string]>([
      ['queued', '200 SVC_JOB_CANCELLED'],
      ['leased', '200 SVC_JOB_CANCELLED'],
      ['accepted_by_agent', '409 SVC_JOB_STATE_CONFLICT'],
      ['handed_off', '409 SVC_JOB_STATE_CONFLICT'],
      ['sent_to_spooler', '409 SVC_JOB_STATE_CONFLICT'],
      ['spooler_completed', '409 SVC_JOB_STATE_CONFLICT'],
      ['failed_temporary', '409 SVC_JOB_STATE_CONFLICT'],
      ['failed_permanent', '409 SVC_JOB_STATE_CONFLICT'],
      ['manual_review', '409 SVC_JOB_STATE_CONFLICT'],
      ['cancelled', '409 SVC_JOB_STATE_CONFLICT'],
      ['expired', '409 SVC_JOB_STATE_CONFLICT'],
    ])('of a job that is %s: %s, as in can_cancel', async (state, answer) => {
      await reach[state]();
      const before = await job();
      expect(before.can_cancel).toBe(answer.startsWith('200'));
      expect(verdict(await scene.cancel(jobId))).toBe(answer);
      if (!before.can_cancel) expect(await job()).toEqual(before);
    });

    it('answers the cancelled job with its reason', async () => {
      await service.advance(SECOND);
      const { body } = await scene.cancel(jobId, { reason: 'Fehldruck ☂' });
      expect(body.data).toMatchObject({
        status: 'cancelled',
        is_final: true,
        can_cancel: false,
        can_retry: false,
        cancelled_at: service.clock.now(),
        cancellation_reason: 'Fehldruck ☂',
        duration_ms: SECOND,
      });
    });

    it('invalidates the lease, so that the agent cannot start', async () => {
      const lease = await reach.leased();
      await scene.cancel(jobId);
      expect(verdict(await scene.agent.accept(lease))).toBe('409 LEASE_LOST');
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 LEASE_LOST');
      expect(await scene.agent.lease()).toEqual([]);
    });

    it('lets exactly one of a cancel and an accept succeed', async () => {
      for (let round = 0; round < 20; round++) {
        const id = await scene.create();
        const lease = (await scene.agent.lease(4)).find(({ job_id }) => job_id === id)!;
        const [cancelled, accepted] = await Promise.all([scene.cancel(id), scene.agent.accept(lease)]);
        expect([cancelled.status, accepted.status].sort()).toEqual([200, 409]);
        const { status } = await scene.job(id);
        expect(status).toBe(cancelled.status === 200 ? 'cancelled' : 'accepted_by_agent');
        if (accepted.status === 200) await scene.agent.report(lease, 'rejected');
      }
    });

    it('requires a body, optionally with a reason of 1 to 500 characters', async () => {
      const path = `/svc-api-print-jobs/${jobId}/cancel`;
      const bodiless = await service.call('POST', path, { as: scene.key });
      expect(verdict(bodiless)).toBe('415 SVC_UNSUPPORTED_MEDIA_TYPE');
      const headers = { 'content-type': 'application/json' };
      expect(verdict(await service.call('POST', path, { as: scene.key, headers }))).toBe(
        '400 SVC_VALIDATION_FAILED',
      );
      for (const reason of ['', 'x'.repeat(501), 7, null, 'a\u0000b']) {
        const refused = await scene.cancel(jobId, { reason });
        expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
        expect(refused.body.message).toContain('reason');
      }
      expect((await scene.cancel(jobId, { reason: 'x'.repeat(500) })).status).toBe(200);
    });
  });

  describe('retry', () => {
    it.each<[Reached, string]>([
      ['queued', '409 SVC_JOB_STATE_CONFLICT'],
      ['leased', '409 SVC_JOB_RETRY_DUPLICATION_RISK'],
      ['accepted_by_agent', '409 SVC_JOB_RETRY_DUPLICATION_RISK'],
      ['handed_off', '409 SVC_JOB_RETRY_DUPLICATION_RISK'],
      ['sent_to_spooler', '409 SVC_JOB_RETRY_DUPLICATION_RISK'],
      ['spooler_completed', '409 SVC_JOB_RETRY_DUPLICATION_RISK'],
      ['failed_temporary', '200 SVC_JOB_RETRIED'],
      ['failed_permanent', '409 SVC_JOB_STATE_CONFLICT'],
      ['manual_review', '200 SVC_JOB_RETRIED'],
      ['cancelled', '409 SVC_JOB_STATE_CONFLICT'],
      ['expired', '409 SVC_JOB_STATE_CONFLICT'],
    ])('of a job that is %s: %s, as in can_retry', async (state, answer) => {
      await reach[state]();
      const before = await job();
      expect(before.can_retry).toBe(answer.startsWith('200'));
      expect(verdict(await scene.retry(jobId))).toBe(answer);
      if (!before.can_retry) expect(await job()).toEqual(before);
    });

    it('requeues the job with a new fence', async () => {
      await reach.manual_review();
      expect((await scene.retry(jobId)).body.data).toMatchObject({
        status: 'queued',
        retry_state: 'submitted',
        retry_count: 1,
        attempt_count: 1,
      });
      const lease = await reach.leased();
      expect(lease).toMatchObject({ job_id: jobId, fence: 2 });
      await scene.agent.accept(lease);
      await scene.agent.handoff(lease);
      await scene.agent.report(lease, 'spooler_completed');
      const printed = await job();
      expect(printed).toMatchObject({
        status: 'spooler_completed',
        retry_state: 'completed',
        attempt_count: 2,
      });
      expect(printed).not.toHaveProperty('failure_code');
    });

    it('replaces the scheduled retry', async () => {
      await reach.failed_temporary();
      await scene.retry(jobId);
      await service.advance(MINUTE);
      expect(await job()).toMatchObject({ status: 'queued', retry_count: 1 });
    });

    it('succeeds for one of 20 at once with different keys', async () => {
      await reach.failed_temporary();
      const retried = await Promise.all(
        Array.from({ length: 20 }, (_, n) => scene.retry(jobId, {}, `retry-key-${n}`)),
      );
      expect(retried.map(verdict).sort()).toEqual([
        '200 SVC_JOB_RETRIED',
        ...Array<string>(19).fill('409 SVC_JOB_STATE_CONFLICT'),
      ]);
      expect(await job()).toMatchObject({ status: 'queued', retry_count: 1 });
    });

    it('is refused for an expired job or deleted content', async () => {
      await reach.manual_review();
      await service.advance(3 * DAY - 1);
      expect((await job()).can_retry).toBe(true);
      await service.advance(1);
      expect(await job()).toMatchObject({ status: 'expired', can_retry: false });
      expect(verdict(await scene.retry(jobId))).toBe('409 SVC_JOB_STATE_CONFLICT');
    });

    it('requeues a job with exhausted retries until it expires', async () => {
      for (const delay of [15, 60, 300, 0]) {
        await scene.agent.heartbeat();
        await reach.failed_temporary();
        await service.advance(delay * SECOND);
      }
      expect(await job()).toMatchObject({ status: 'failed', retry_state: 'exhausted', retry_count: 3 });
      await service.advance(HOUR);
      expect(await job()).toMatchObject({ status: 'failed', can_retry: true });
      expect((await scene.retry(jobId)).body.data).toMatchObject({
        status: 'queued',
        retry_count: 4,
      });
    });

    it('waits for an offline printer like any queued job', async () => {
      await reach.manual_review();
      await scene.agent.inventory([{ ...onePrinter, online: false }]);
      expect((await scene.retry(jobId)).status).toBe(200);
      expect(await scene.agent.lease()).toEqual([]);
      await scene.agent.inventory([onePrinter]);
      expect(await scene.agent.lease()).toHaveLength(1);
    });
  });
});
