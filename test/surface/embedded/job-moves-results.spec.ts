import { randomUUID } from 'node:crypto';
import { JobScene } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { SECOND } from '../asking.js';

let service: TestService;
let scene: JobScene;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  scene = await JobScene.open(service);
});

describe('a result after the job was parked', () => {
  it('completes the job, marked as late in the history', async () => {
    const lease = await scene.parked();
    const parkedAt = service.clock.now();
    await service.advance(3600 * SECOND);
    expect(await scene.agent.report(lease, 'spooler_completed')).toMatchObject({ result: 'applied' });
    const job = await scene.job(lease.job_id);
    expect(job).toMatchObject({
      status: 'spooler_completed',
      retry_state: 'none',
      manual_review_at: parkedAt,
      last_failure_at: parkedAt,
    });
    for (const gone of ['failure_code', 'failure_class', 'failure_message', 'next_attempt_at']) {
      expect(Object.keys(job)).not.toContain(gone);
    }
    expect(job.history.at(-1)).toMatchObject({
      event_type: 'job.spooler_completed',
      previous_status: 'manual_review',
      details: { reason: 'late_result', physical_print_confirmed: false },
    });
  });

  it('fails the job permanently if it was cancelled at the computer', async () => {
    const lease = await scene.parked();
    await scene.agent.report(lease, 'spooler_cancelled');
    expect(await scene.job(lease.job_id)).toMatchObject({ status: 'failed', failure_class: 'permanent' });
    expect((await scene.lastLine(lease.job_id)).details).toMatchObject({ reason: 'late_result' });
  });

  it('retries the job when nothing was submitted', async () => {
    const lease = await scene.at('handed_off');
    await service.advance(600 * SECOND);
    expect((await scene.job(lease.job_id)).status).toBe('manual_review');
    await scene.agent.report(lease, 'not_submitted');
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'failed',
      failure_class: 'temporary',
      retry_state: 'scheduled',
    });
  });

  it.each(['spooled', 'spooler_failed', 'spooler_vanished', 'not_submitted'])(
    'is only recorded without proof: %s',
    async (type) => {
      const lease = await scene.parked();
      const before = await scene.job(lease.job_id);
      expect(await scene.agent.report(lease, type)).toMatchObject({ result: 'late' });
      const { history, ...after } = await scene.job(lease.job_id);
      const { history: told, ...same } = before;
      expect(after).toEqual(same);
      expect(history.slice(0, -1)).toEqual(told);
      expect(history.at(-1)).toMatchObject({ event_type: 'job.late_result_recorded', outcome: 'recorded' });
    },
  );
});

describe('a report with an older fence', () => {
  it.each(['queued', 'leased', 'accepted', 'handed_off', 'spooled', 'completed'] as const)(
    'is recorded and changes nothing while the next attempt is %s',
    async (stage) => {
      const older = await scene.parked();
      await scene.retry(older.job_id);
      if (stage !== 'queued') await scene.lease(stage);
      const { history: told, ...before } = await scene.job(older.job_id);
      expect(await scene.agent.report(older, 'spooler_completed')).toMatchObject({ result: 'late' });
      const { history, ...after } = await scene.job(older.job_id);
      expect(after).toEqual(before);
      expect(history.slice(0, -1)).toEqual(told);
      expect(history.at(-1)).toMatchObject({
        event_type: 'job.late_result_recorded',
        details: { reason: 'late_result' },
      });
    },
  );

  it('is recorded as late for a cancelled job', async () => {
    const older = await scene.at('leased');
    await scene.agent.release(older);
    await scene.cancel(older.job_id);
    expect(await scene.agent.report(older, 'spooler_vanished')).toMatchObject({ result: 'late' });
    expect(await scene.job(older.job_id)).toMatchObject({ status: 'cancelled', is_final: true });
  });
});

describe('a repeated report', () => {
  it.each(['spooled', 'spooler_completed', 'spooler_vanished', 'spooler_failed', 'spooler_cancelled'])(
    'is a duplicate: %s',
    async (type) => {
      const lease = await scene.at('handed_off');
      const event_id = randomUUID();
      expect(await scene.agent.report(lease, type, { event_id })).toMatchObject({ result: 'applied' });
      const before = await scene.job(lease.job_id);
      expect(await scene.agent.report(lease, type, { event_id })).toEqual({ event_id, result: 'duplicate' });
      expect(await scene.job(lease.job_id)).toEqual(before);
    },
  );

  it('is a duplicate even if it was late', async () => {
    const lease = await scene.parked();
    const event_id = randomUUID();
    await scene.agent.report(lease, 'spooler_failed', { event_id });
    const before = await scene.job(lease.job_id);
    expect(await scene.agent.report(lease, 'spooler_failed', { event_id })).toMatchObject({
      result: 'duplicate',
    });
    expect(await scene.job(lease.job_id)).toEqual(before);
  });

  it('is applied once for concurrent repeats', async () => {
    const lease = await scene.at('spooled');
    const event_id = randomUUID();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => scene.agent.report(lease, 'spooler_completed', { event_id })),
    );
    expect(results.filter(({ result }) => result === 'applied')).toHaveLength(1);
    expect(results.filter(({ result }) => result === 'duplicate')).toHaveLength(19);
  });
});

describe('a report after the hand-off', () => {
  it('stores both steps if only the end is reported', async () => {
    const lease = await scene.at('handed_off');
    await scene.agent.report(lease, 'spooler_completed', { spooler_provider: 'cups', spooler_job_id: '9' });
    expect((await scene.history(lease.job_id)).slice(-2)).toEqual([
      'job.sent_to_spooler',
      'job.spooler_completed',
    ]);
    expect(await scene.job(lease.job_id)).toMatchObject({ spooler_provider: 'cups', spooler_job_id: '9' });
  });

  it.each([
    ['spooler_failed', 'manual_review'],
    ['spooler_vanished', 'manual_review'],
    ['spooler_cancelled', 'failed'],
    ['rejected', 'manual_review'],
  ])('maps %s before spooled to %s', async (type, status) => {
    const lease = await scene.at('handed_off');
    await scene.agent.report(lease, type, { failure_class: 'temporary' });
    expect(await scene.job(lease.job_id)).toMatchObject({ status });
  });

  it("has the agent's time, limited to the range from the hand-off to now", async () => {
    const lease = await scene.at('handed_off');
    const handedOffAt = service.clock.now();
    await service.advance(60 * SECOND);
    await scene.agent.report(lease, 'spooled', { occurred_at: service.fromNow(-3600 * SECOND) });
    expect((await scene.job(lease.job_id)).spooler_submitted_at).toBe(handedOffAt);
    await scene.agent.report(lease, 'spooler_completed', { occurred_at: service.fromNow(3600 * SECOND) });
    expect(await scene.job(lease.job_id)).toMatchObject({
      completed_at: service.clock.now(),
      duration_ms: 60 * SECOND,
    });
  });
});

describe('a report before the hand-off', () => {
  it.each([
    ['rejected', {}, 'permanent', 'REJECTED_BY_AGENT'],
    ['rejected', { failure_class: 'temporary', failure_code: 'BUSY' }, 'temporary', 'BUSY'],
    ['rejected', { failure_class: 'ambiguous' }, 'permanent', 'REJECTED_BY_AGENT'],
    ['not_submitted', {}, 'temporary', 'NOT_SUBMITTED'],
    ['not_submitted', { failure_class: 'ambiguous' }, 'temporary', 'NOT_SUBMITTED'],
    ['spooler_failed', { failure_class: 'permanent' }, 'permanent', 'SPOOLER_FAILED'],
  ])('fails the job as reported: %s %j', async (type, more, failure_class, failure_code) => {
    const lease = await scene.at('accepted');
    await scene.agent.report(lease, type, { message: 'so it is', ...more });
    expect(await scene.job(lease.job_id)).toMatchObject({
      status: 'failed',
      failure_class,
      failure_code,
      failure_message: 'so it is',
      can_retry: failure_class === 'temporary',
    });
  });
});

describe('a batch of reports', () => {
  it('is evaluated event by event', async () => {
    const lease = await scene.at('handed_off');
    const { job_id, lease_id, fence } = lease;
    const event = (more: object) => ({
      event_id: randomUUID(),
      job_id,
      lease_id,
      fence,
      type: 'spooled',
      occurred_at: service.clock.now(),
      ...more,
    });
    const twice = event({});
    const events = [
      twice,
      { event_id: 'bad' },
      event({ job_id: randomUUID() }),
      event({ fence: 2 }),
      twice,
      event({ type: 'spooler_completed' }),
      event({ message: 'x'.repeat(241) }),
    ];
    const { body } = await scene.agent.call('POST', '/events', { json: { events } });
    const results = body.data!.results as { event_id: string; result: string; code?: string }[];
    expect(results.map(({ result, code }) => [result, code])).toEqual([
      ['applied', undefined],
      ['rejected', 'INVALID_REQUEST'],
      ['rejected', 'JOB_NOT_FOUND'],
      ['rejected', 'LEASE_LOST'],
      ['duplicate', undefined],
      ['applied', undefined],
      ['rejected', 'INVALID_REQUEST'],
    ]);
    expect((await scene.job(job_id)).status).toBe('spooler_completed');
  });
});
