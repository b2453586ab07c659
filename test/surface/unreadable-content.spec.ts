import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectionsFor } from '../../src/app/projections.js';
import type { ContentStore } from '../../src/event-sourcing/ports/content-store.port.js';
import { flipBit } from '../kit/damage.js';
import { Faults } from '../kit/faults.js';
import { JobScene } from '../kit/job-scene.js';
import { serviceForEach, startTestService } from '../kit/service.js';
import { openTestStores } from '../kit/stores.js';
import type { Leased } from '../kit/world.js';
import { verdict } from './asking.js';
import { rpsAt } from '../kit/rps-at.js';

const fetchedBy = async ({ agent }: JobScene, { job_id }: Leased, headers = {}) =>
  verdict(await agent.call('GET', `/jobs/${job_id}/content`, { headers }));

const lose = (contents: ContentStore, jobId: string) => contents.delete(jobId);

const damage = async (contents: ContentStore, jobId: string) => {
  const bytes = Uint8Array.from((await contents.get(jobId))!);
  flipBit(bytes, 3);
  await contents.put(jobId, bytes);
};

const FAULTS = [
  {
    ...{ what: 'lost', spoil: lose, failure_code: 'CONTENT_NOT_FOUND' },
    failure_message: 'The service has lost the document. Nothing was printed.',
  },
  {
    ...{ what: 'damaged in the store', spoil: damage, failure_code: 'CONTENT_DAMAGED' },
    failure_message: "The document is damaged in the service's store. Nothing was printed.",
  },
];

describe.each(FAULTS)('a job whose document is $what', ({ spoil, failure_code, failure_message }) => {
  const service = serviceForEach();
  let scene: JobScene;
  beforeEach(async () => void (scene = await JobScene.open(service)));

  const fetched = (lease: Leased, headers = {}) => fetchedBy(scene, lease, headers);

  it.each(['leased', 'accepted'] as const)(
    'fails permanently with a reason when its agent fetches the document while it is %s',
    async (stage) => {
      const lease = await scene.at(stage);
      await spoil(service.stores.contents, lease.job_id);
      expect(await fetched(lease)).toBe(`404 ${failure_code}`);

      const failure = { failure_code, failure_class: 'permanent' };
      const job = await scene.job(lease.job_id);
      expect(job).toMatchObject({
        ...{ ...failure, failure_message },
        ...{ status: 'failed', retry_state: 'none', can_retry: false },
      });
      expect(job.history.at(-1)).toMatchObject({
        ...{ event_type: 'job.failed', outcome: 'failed', details: failure },
      });
      expect(verdict(await scene.retry(lease.job_id))).toBe('409 SVC_JOB_STATE_CONFLICT');
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 LEASE_LOST');
      expect(await scene.agent.lease()).toEqual([]);
      expect(await fetched(lease)).toBe(`404 ${failure_code}`);
      expect((await scene.job(lease.job_id)).history).toHaveLength(job.history.length);
    },
  );

  it('fails permanently even for a range request', async () => {
    const lease = await scene.at('leased');
    await spoil(service.stores.contents, lease.job_id);

    expect(await fetched(lease, { range: 'bytes=0-0' })).toBe(`404 ${failure_code}`);
    expect((await scene.job(lease.job_id)).status).toBe('failed');
  });

  it('is not ended after its hand-off', async () => {
    const lease = await scene.at('handed_off');
    await spoil(service.stores.contents, lease.job_id);

    expect(await fetched(lease)).toBe(`404 ${failure_code}`);
    expect((await scene.job(lease.job_id)).status).toBe('accepted_by_agent');
  });

  it('does not block leases of other jobs', async () => {
    for (let n = 0; n < 4; n++) await scene.create();
    const waiting = await scene.create();
    const unreadable = await scene.agent.lease();
    expect(unreadable).toHaveLength(4);
    for (const lease of unreadable) {
      await spoil(service.stores.contents, lease.job_id);
      await fetched(lease);
    }

    expect((await scene.agent.lease()).map(({ job_id }) => job_id)).toEqual([waiting]);
  });
});

describe('exporting a damaged document', () => {
  const service = serviceForEach();

  it('skips it, and continues with the others', async () => {
    const scene = await JobScene.open(service);
    const damaged = await scene.create();
    const whole = await scene.create();
    await damage(service.stores.contents, damaged);
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

describe('a job whose content store is unavailable', () => {
  it('is not treated as having lost its document', async () => {
    let contents!: Faults<ContentStore>;
    const service = await startTestService({
      stores(config) {
        const stores = openTestStores({ projections: projectionsFor(config) });
        contents = new Faults(stores.contents);
        return { ...stores, contents: contents.port };
      },
    });
    const scene = await JobScene.open(service);
    const lease = await scene.at('leased');
    contents.refuse('get', 3);
    for (let n = 0; n < 3; n++) expect(await fetchedBy(scene, lease)).toBe('503 UNAVAILABLE');
    expect((await scene.job(lease.job_id)).status).toBe('leased');

    expect((await scene.agent.call('GET', `/jobs/${lease.job_id}/content`)).status).toBe(200);
    expect((await scene.agent.accept(lease)).status).toBe(200);
    await service.close();
  });
});
