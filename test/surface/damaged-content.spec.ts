import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flipBit } from '../kit/damage.js';
import { JobScene } from '../kit/job-scene.js';
import { startTestService, type TestService } from '../kit/service.js';
import type { Leased } from '../kit/world.js';
import { rpsAt } from './export-import.js';
import { verdict } from './asking.js';

describe('a job whose document is damaged in the store', () => {
  let service: TestService;
  let scene: JobScene;
  beforeEach(async () => {
    service = await startTestService();
    scene = await JobScene.open(service);
  });
  afterEach(() => service.close());

  const fetched = async ({ job_id }: Leased, headers = {}) =>
    verdict(await scene.agent.call('GET', `/jobs/${job_id}/content`, { headers }));

  const damage = async (jobId: string) => {
    const bytes = Uint8Array.from((await service.stores.contents.get(jobId))!);
    flipBit(bytes, 3);
    await service.stores.contents.put(jobId, bytes);
  };

  it.each(['leased', 'accepted'] as const)(
    'fails permanently with a reason when its agent fetches the document while it is %s',
    async (stage) => {
      const lease = await scene.at(stage);
      await damage(lease.job_id);
      expect(await fetched(lease)).toBe('404 CONTENT_DAMAGED');

      const job = await scene.job(lease.job_id);
      expect(job).toMatchObject({
        status: 'failed',
        failure_code: 'CONTENT_DAMAGED',
        failure_class: 'permanent',
        failure_message: "The document is damaged in the service's store. Nothing was printed.",
        retry_state: 'none',
        can_retry: false,
      });
      expect(verdict(await scene.retry(lease.job_id))).toBe('409 SVC_JOB_STATE_CONFLICT');
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 LEASE_LOST');
      expect(await scene.agent.lease()).toEqual([]);
      expect(await fetched(lease)).toBe('404 CONTENT_DAMAGED');
      expect((await scene.job(lease.job_id)).history).toHaveLength(job.history.length);
    },
  );

  it('fails permanently even for a range request', async () => {
    const lease = await scene.at('leased');
    await damage(lease.job_id);

    expect(await fetched(lease, { range: 'bytes=0-0' })).toBe('404 CONTENT_DAMAGED');
    expect((await scene.job(lease.job_id)).status).toBe('failed');
  });

  it('is not ended after its hand-off', async () => {
    const lease = await scene.at('handed_off');
    await damage(lease.job_id);

    expect(await fetched(lease)).toBe('404 CONTENT_DAMAGED');
    expect((await scene.job(lease.job_id)).status).toBe('accepted_by_agent');
  });

  it('is skipped by an export, which continues with the others', async () => {
    const damaged = await scene.create();
    const whole = await scene.create();
    await damage(damaged);
    const folder = await mkdtemp(join(tmpdir(), 'rps-export-'));
    try {
      const { code, out, err } = await rpsAt(service, ['contents', 'export', folder]);

      expect([code, JSON.parse(out)]).toEqual([0, { saved: 1, known: 0, missing: 0, damaged: 1 }]);
      expect(err).toBe(`the document of job ${damaged} is damaged\n`);
      expect(await readdir(folder)).toEqual([whole]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
