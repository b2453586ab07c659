import { randomUUID } from 'node:crypto';
import { sceneForEach } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import { TestAgent, type Leased } from '../../kit/world.js';
import { DAY, MINUTE, SECOND, verdict } from '../asking.js';

describe('reporting as an agent', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let lease: Leased;
  beforeEach(async () => {
    await scene.create();
    [lease] = (await scene.agent.lease(1)) as [Leased];
  });

  const job = () => scene.job(lease.job_id);
  const stored = async () => (await job()).history.length;
  const event = (type: string, more: object = {}) => {
    const { job_id, lease_id, fence } = lease;
    const occurred_at = service.clock.now();
    return { event_id: randomUUID(), job_id, lease_id, fence, type, occurred_at, ...more };
  };
  const send = (...events: object[]) => scene.agent.call('POST', '/events', { json: { events } });
  const resultsOf = async (...events: object[]) =>
    ((await send(...events)).body.data!.results as { result: string; code?: string }[]).map(
      ({ result, code }) => (code ? `${result} ${code}` : result),
    );

  describe('accepting a job', () => {
    it('succeeds with the right hash', async () => {
      const { status, body } = await scene.agent.accept(lease);
      expect(status).toBe(200);
      expect(body.data).toEqual({ job_id: lease.job_id, fence: 1, status: 'accepted_by_agent' });
    });

    it('answers 422 for a wrong hash and keeps the lease', async () => {
      const refused = await scene.agent.accept({ ...lease, content_hash: 'f'.repeat(64) });
      expect(verdict(refused)).toBe('422 CONTENT_MISMATCH');
      expect((await job()).status).toBe('leased');
      expect((await scene.agent.accept(lease)).status).toBe(200);
    });

    it('can be repeated with the same answer and no new event', async () => {
      const { body: first } = await scene.agent.accept(lease);
      const events = await stored();
      const { status, body: again } = await scene.agent.accept(lease);
      expect([status, again.data]).toEqual([200, first.data]);
      expect(await stored()).toBe(events);
    });

    it('answers 409 for another or lapsed lease or a cancelled job', async () => {
      for (const wrong of [{ lease_id: randomUUID() }, { fence: 2 }])
        expect(verdict(await scene.agent.accept({ ...lease, ...wrong }))).toBe('409 LEASE_LOST');
      await service.advance(MINUTE);
      expect(verdict(await scene.agent.accept(lease))).toBe('409 LEASE_LOST');
      await scene.cancel(lease.job_id);
      expect(verdict(await scene.agent.accept(lease))).toBe('409 LEASE_LOST');
    });

    it('answers 409 at the moment of expiry', async () => {
      service.clock.set(service.fromNow(DAY));
      expect(verdict(await scene.agent.accept(lease))).toBe('409 JOB_EXPIRED');
      expect((await job()).status).toBe('expired');
      expect(verdict(await scene.agent.accept(lease))).toBe('409 JOB_EXPIRED');
    });

    it("is a 404 for another computer's job", async () => {
      const { agent: other } = await TestAgent.ready(service, scene.accountId);
      expect(verdict(await other.accept(lease))).toBe('404 JOB_NOT_FOUND');
      expect(verdict(await other.handoff(lease))).toBe('404 JOB_NOT_FOUND');
      expect(verdict(await other.release(lease))).toBe('404 LEASE_NOT_FOUND');
      expect(await other.report(lease, 'rejected')).toMatchObject({
        result: 'rejected',
        code: 'JOB_NOT_FOUND',
      });
      expect((await job()).status).toBe('leased');
    });
  });

  describe('requesting a permit', () => {
    it('succeeds after accept, also when repeated', async () => {
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 LEASE_LOST');
      await scene.agent.accept(lease);
      for (let n = 0; n < 3; n++)
        expect((await scene.agent.handoff(lease)).body.data).toEqual({
          permit: true,
          permit_seconds: 15,
          position: expect.any(String),
        });
      const types = (await job()).history.map(({ event_type }) => event_type);
      expect(types.filter((type) => type === 'job.handoff_started')).toHaveLength(1);
      expect((await job()).status).toBe('accepted_by_agent');
    });

    it('is refused at the expiry', async () => {
      await scene.agent.accept(lease);
      service.clock.set(service.fromNow(DAY));
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 JOB_EXPIRED');
      expect((await job()).status).toBe('expired');
    });

    it('is refused after a silence longer than the grace', async () => {
      await scene.agent.accept(lease);
      await service.advance(2 * MINUTE);
      expect(await job()).toMatchObject({ status: 'failed', failure_code: 'AGENT_LOST_BEFORE_HANDOFF' });
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 LEASE_LOST');
    });
  });

  describe('reporting results', () => {
    const handedOff = async () => {
      await scene.agent.accept(lease);
      await scene.agent.handoff(lease);
    };

    it('moves the job to sent_to_spooler and spooler_completed', async () => {
      await handedOff();
      const spooled_at = service.clock.now();
      expect(await resultsOf(event('spooled', { spooler_provider: 'cups', spooler_job_id: '42' }))).toEqual([
        'applied',
      ]);
      expect(await job()).toMatchObject({
        status: 'sent_to_spooler',
        spooler_provider: 'cups',
        spooler_job_id: '42',
        spooler_submitted_at: spooled_at,
      });
      await service.advance(SECOND);
      expect(await resultsOf(event('spooler_completed'))).toEqual(['applied']);
      expect(await job()).toMatchObject({
        status: 'spooler_completed',
        is_final: true,
        spooler_completed_at: service.clock.now(),
        completed_at: service.clock.now(),
      });
    });

    it('applies several reports of one batch in order', async () => {
      await handedOff();
      expect(await resultsOf(event('spooled'), event('spooler_completed'))).toEqual(['applied', 'applied']);
      expect((await job()).status).toBe('spooler_completed');
    });

    it('counts a repeated event once', async () => {
      await handedOff();
      const spooled = event('spooled');
      expect(await resultsOf(spooled)).toEqual(['applied']);
      const events = await stored();
      expect(await resultsOf(spooled, spooled)).toEqual(['duplicate', 'duplicate']);
      expect(await stored()).toBe(events);
    });

    it('counts an event once whose repeats come at the same time', async () => {
      await handedOff();
      const completed = event('spooler_completed');
      const results = await Promise.all(Array.from({ length: 20 }, () => resultsOf(completed)));
      expect(results.flat().sort()).toEqual(['applied', ...Array<string>(19).fill('duplicate')]);
    });

    it('rejects a bad event without affecting the others', async () => {
      await handedOff();
      const results = await resultsOf(
        event('exploded'),
        event('spooled', { fence: 'one' }),
        event('spooled', { failure_code: 'lower case' }),
        event('spooled', { message: 'x'.repeat(241) }),
        event('spooled', { spooler_job_id: 'x'.repeat(129) }),
        event('spooled', { spooler_provider: 'x'.repeat(65) }),
        event('spooled', { colour: 'blue' }),
        event('spooled', { job_id: randomUUID() }),
        event('spooled', { lease_id: randomUUID() }),
        {},
        event('spooler_completed'),
      );
      expect(results).toEqual([
        ...Array<string>(7).fill('rejected INVALID_REQUEST'),
        'rejected JOB_NOT_FOUND',
        'rejected LEASE_LOST',
        'rejected INVALID_REQUEST',
        'applied',
      ]);
      expect((await job()).status).toBe('spooler_completed');
    });

    it('names the violated rule under the id of the bad event', async () => {
      const bad = event('exploded');
      const { body } = await send(bad);
      expect(body.data!.results).toEqual([
        {
          event_id: bad.event_id,
          result: 'rejected',
          code: 'INVALID_REQUEST',
          message: expect.stringContaining('type'),
        },
      ]);
    });

    it('requires 1 to 100 objects', async () => {
      await handedOff();
      for (const events of [[], Array(101).fill(event('spooled')), ['spooled'], 'spooled', undefined])
        expect(verdict(await scene.agent.call('POST', '/events', { json: { events } }))).toBe(
          '400 INVALID_REQUEST',
        );
      expect(await resultsOf(...Array.from({ length: 100 }, () => event('spooled')))).toHaveLength(100);
    });

    it('only records a report with an older fence', async () => {
      await handedOff();
      await scene.agent.report(lease, 'not_submitted');
      await service.advance(15 * SECOND);
      const [next] = (await scene.agent.lease(1)) as [Leased];
      expect(next.fence).toBe(2);
      expect(await resultsOf(event('spooler_completed'))).toEqual(['late']);
      expect((await job()).status).toBe('leased');
      expect((await job()).history.at(-1)!.event_type).toBe('job.late_result_recorded');
    });

    it('answers late also after the 32 late results that are kept', async () => {
      await handedOff();
      await scene.agent.report(lease, 'spooler_vanished');
      const late = Array.from({ length: 32 }, () => event('spooled'));
      expect(await resultsOf(...late)).toEqual(late.map(() => 'late'));
      const before = await stored();
      expect(await resultsOf(event('spooled'))).toEqual(['late']);
      expect(await stored()).toBe(before);
    });

    it('accepts spooled and completed without a hand-off', async () => {
      await scene.agent.accept(lease);
      expect(await resultsOf(event('spooled'))).toEqual(['applied']);
      expect(await job()).toMatchObject({ status: 'manual_review', failure_code: 'UNEXPECTED_EVIDENCE' });
      expect(await resultsOf(event('spooler_completed'))).toEqual(['applied']);
      expect((await job()).status).toBe('spooler_completed');
    });
  });
});
