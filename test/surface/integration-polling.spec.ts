import { JobPolling } from '../../src/api/polling.js';
import { plus } from '../../src/kernel/time.js';
import type { Answered } from '../kit/http/client.js';
import { sceneForEach } from '../kit/job-scene.js';
import { soon } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { DAY, itemsOf, SECOND } from './asking.js';

describe('polling as an API client', () => {
  const service = serviceForAll({ env: { RATE_LIMIT_FACTOR: '1' } });
  const scene = sceneForEach(service);
  let jobId: string;
  let path: string;
  beforeEach(async () => {
    jobId = await scene.create();
    path = `/svc-api-print-jobs/${jobId}`;
  });

  const etagOf = ({ headers }: Answered) => headers.get('etag')!;
  const get = (what = path) => service.call('GET', what, { as: scene.key });
  const poll = (etag: string, more: Record<string, string> = {}, what = path) =>
    service.call('GET', what, { as: scene.key, headers: { 'if-none-match': etag, ...more } });

  describe.each([
    ['a job', () => path],
    ['a list', () => '/svc-api-print-jobs?limit=1'],
  ])('%s', (_, what) => {
    it('is answered 304 without a body while nothing has changed', async () => {
      const first = await get(what());
      const second = await poll(etagOf(first), {}, what());

      expect([second.status, second.text, etagOf(second)]).toEqual([304, '', etagOf(first)]);
      expect((await poll('"other"', {}, what())).status).toBe(200);
    });

    it('does not count against the rate limit while nothing has changed', async () => {
      const first = await get(what());
      const left = ({ headers }: Answered) => Number(headers.get('ratelimit-remaining'));

      expect(left(await poll(etagOf(first), {}, what()))).toBe(left(first));
      expect(left(await get(what()))).toBe(left(first) - 1);
    });

    it('is answered with a new ETag after a change', async () => {
      const first = await get(what());
      await scene.cancel(jobId);
      const second = await poll(etagOf(first), {}, what());

      expect(second.status).toBe(200);
      expect(etagOf(second)).not.toBe(etagOf(first));
    });

    it('is answered again when the job can no longer be retried, which no event reports', async () => {
      const last = await scene.create({ expires_at: plus(service.clock.now(), DAY) });
      await scene.cancel(jobId);
      for (const delay of [15, 60, 300, 0]) {
        await scene.agent.heartbeat();
        await scene.agent.report(await scene.lease('leased'), 'not_submitted');
        await service.advance(delay * SECOND);
      }
      path = `/svc-api-print-jobs/${last}`;
      const first = await get(what());
      const shown = (answered: Answered) => (what() === path ? answered.body.data : itemsOf(answered)[0]);
      expect(shown(first)).toMatchObject({ job_id: last, status: 'failed', can_retry: true });
      expect((await poll(etagOf(first), {}, what())).status).toBe(304);
      await service.advance(DAY);

      expect(shown(await poll(etagOf(first), {}, what()))).toMatchObject({
        status: 'failed',
        can_retry: false,
      });
    });
  });

  it('answers a list again when only its total changes', async () => {
    const beyond = '/svc-api-print-jobs?offset=10';
    const first = await get(beyond);
    await scene.create();
    const second = await poll(etagOf(first), {}, beyond);

    expect([first, second].map(({ body }) => body.data)).toEqual([
      expect.objectContaining({ items: [], total: 1 }),
      expect.objectContaining({ items: [], total: 2 }),
    ]);
  });

  describe('with Prefer: wait', () => {
    let etag: string;
    beforeEach(async () => {
      etag = etagOf(await get());
    });
    /** Resolves when the service has started to wait. */
    const begun = async (seconds: number) => {
      const polling = service.service.app.get(JobPolling, { strict: false });
      const before = polling.waiting;
      const answered = poll(etag, { prefer: `wait=${seconds}` });
      await soon(async () => polling.waiting > before);
      return { answered };
    };

    it('answers the job with its history as soon as it changes', async () => {
      const { answered } = await begun(25);
      await scene.lease();
      const { status, body, headers } = await answered;

      expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=25']);
      expect(body.data).toMatchObject({ status: 'leased', history_contract: 'svc_job_history_v1' });
    });
  });
});
