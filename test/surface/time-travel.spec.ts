import { JobScene, sceneForAll } from '../kit/job-scene.js';
import { countOf } from '../kit/length.js';
import { serviceForAll, type TestService } from '../kit/service.js';
import { openAccount } from '../kit/world.js';
import { DAY, HOUR, MINUTE, SECOND, verdict } from './asking.js';
import { SITUATIONS } from './situations.js';
import { rpsAt } from '../kit/rps-at.js';

const UNKNOWN = '01990000-0000-7000-8000-00000000dead';

interface Answer {
  readonly jobId: string;
  readonly key: string;
  readonly at: string;
  readonly data: string;
}

type Created = Pick<Answer, 'jobId' | 'key'>;

/** After each request reads all jobs of the scene as their client; every moment has one answer. */
function watched(service: TestService, read: (jobs: readonly Created[]) => Promise<void>): TestService {
  const jobs: Created[] = [];
  return {
    ...service,
    async call(...asked) {
      const answered = await service.call(...asked);
      const [, path, { as: key } = {}] = asked;
      const { job_id: jobId } = answered.body.data ?? {};
      if (path === '/svc-api-print-jobs' && answered.status === 201)
        jobs.push({ jobId: String(jobId), key: key! });
      await read(jobs);
      return answered;
    },
  };
}

/** At `CHAOS=long` 10,000 answers. */
const ROUNDS = countOf('ROUNDS', { short: 1, long: 20, soak: 200 });

describe('a job at a moment', () => {
  const service = serviceForAll();

  const at = (jobId: string, key: string, moment: string) =>
    service.call('GET', `/svc-api-print-jobs/${jobId}?at=${moment}`, { as: key });

  it('is what getPrintJob answered then, in every situation', async () => {
    const answers: Answer[] = [];
    const read = async (jobs: readonly Created[]) => {
      service.clock.advance(1);
      for (const { jobId, key } of jobs) {
        const { body } = await service.call('GET', `/svc-api-print-jobs/${jobId}`, { as: key });
        if (body.data) answers.push({ jobId, key, at: service.clock.now(), data: JSON.stringify(body.data) });
      }
      service.clock.advance(1);
    };
    const staged = SITUATIONS.filter(({ what }) => !what.includes('500'));
    for (const { stage, account } of Array.from({ length: ROUNDS }, () => staged).flat()) {
      const scene = await JobScene.open(watched(service, read), account);
      await stage(scene, scene.service);
    }
    const jobs = [...new Map(answers.map((answer) => [answer.jobId, answer])).values()];
    for (const ms of [MINUTE, HOUR, DAY, 2 * DAY, 3 * DAY, 30 * DAY]) {
      await service.advance(ms);
      await read(jobs);
    }
    const differing: object[] = [];
    for (const { jobId, key, at: moment, data } of answers) {
      const { status, body } = await at(jobId, key, moment);
      const isSuspended = status === 403;
      if (!isSuspended && JSON.stringify(body.data) !== data)
        differing.push({ moment, then: JSON.parse(data), told: body.data });
    }
    expect(differing).toEqual([]);
    expect(answers.length).toBeGreaterThan(450 * ROUNDS);
  }, 1_200_000);

  describe('asked for', () => {
    const scene = sceneForAll(service);
    let jobId: string;
    let moments: string[];
    beforeAll(async () => {
      service.clock.advance(SECOND);
      const before = service.clock.now();
      service.clock.advance(SECOND);
      jobId = await scene.create();
      const queued = service.clock.now();
      service.clock.advance(SECOND);
      await scene.lease('completed');
      moments = [before, queued, service.clock.now()];
      service.clock.advance(SECOND);
      await scene.cancel(await scene.create());
      service.clock.advance(SECOND);
    });
    const asked = (moment: string, as = scene.key) => at(jobId, as, moment);

    it('is unknown before it existed, and to other accounts', async () => {
      const { key } = await openAccount(service);
      expect(verdict(await asked(moments[0]!))).toBe('404 SVC_JOB_NOT_FOUND');
      expect(verdict(await asked(moments[1]!, key))).toBe('404 SVC_JOB_NOT_FOUND');
      expect(verdict(await at(UNKNOWN, scene.key, moments[1]!))).toBe('404 SVC_JOB_NOT_FOUND');
    });

    it('is refused for what is no moment', async () => {
      for (const moment of ['yesterday', '2026-11-21', '2026-02-30T12:00:00Z', ''])
        expect(verdict(await asked(moment))).toBe('400 SVC_VALIDATION_FAILED');
    });

    it('is the present in the future', async () => {
      const now = await scene.job(jobId);
      expect((await asked('2099-01-01T00:00:00Z')).body.data).toEqual(now);
      expect((await asked(moments[2]!)).body.data).toEqual(now);
    });

    it('has the ETag of then', async () => {
      const { headers, body } = await asked(moments[1]!);
      expect(body.data).toMatchObject({ status: 'queued', attempt_count: 0, can_cancel: true });
      const known = { 'if-none-match': headers.get('etag')! };
      const path = `/svc-api-print-jobs/${jobId}`;
      const ask = (query: string) => service.call('GET', path + query, { as: scene.key, headers: known });
      expect((await ask(`?at=${moments[1]}`)).status).toBe(304);
      expect((await ask('')).status).toBe(200);
    });

    it('is shown to operators with its account and computer as they were', async () => {
      const queued = moments[1]!;
      await service.operate('POST', `/accounts/${scene.accountId}/plan`, { jobs_per_month: 7 });
      await service.operate('POST', `/computers/${scene.agent.computerId}/disable`);
      const { code, out } = await rpsAt(service, ['job', 'show', jobId, '--at', queued]);
      expect([code, JSON.parse(out)]).toMatchObject([
        0,
        {
          ...{ job_id: jobId, status: 'queued', history: [{}, {}] },
          account: { account_id: scene.accountId, plan: { jobs_per_month: null } },
          computer: { computer_id: scene.agent.computerId, status: 'online' },
        },
      ]);
      const early = `/operator/jobs/${jobId}?at=${moments[0]}`;
      expect(verdict(await service.call('GET', early, { as: service.operatorToken }))).toBe(
        '404 JOB_NOT_FOUND',
      );
    });

    it('is counted in the state of its account', async () => {
      const state = async (moment: string) => {
        const { code, out } = await rpsAt(service, ['account', 'state', scene.accountId, '--at', moment]);
        expect(code).toBe(0);
        return JSON.parse(out) as { jobs: object; computers: { printers: object[] }[] };
      };
      const [before, queued, done] = await Promise.all(moments.map(state));
      expect(before).toMatchObject({ complete: true, account: { status: 'active' }, jobs: {} });
      expect([before!.jobs, queued!.jobs, done!.jobs]).toEqual([{}, { queued: 1 }, { spooler_completed: 1 }]);
      expect((await state(service.clock.now())).jobs).toEqual({ spooler_completed: 1, cancelled: 1 });
      const printers = [{ printer_id: scene.printerId, status: 'online' }];
      expect(queued!.computers).toMatchObject([{ computer_id: scene.agent.computerId, printers }]);
      const asked = (query: string) =>
        service.call('GET', `/operator/accounts/${scene.accountId}/state${query}`, {
          as: service.operatorToken,
        });
      expect(verdict(await asked('?at=2020-01-01T00:00:00Z'))).toBe('404 ACCOUNT_NOT_FOUND');
      expect(verdict(await asked(''))).toBe('400 INVALID_REQUEST');
    });
  });
});
