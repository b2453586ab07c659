import { projectionsFor } from '../../src/app/projections.js';
import type { ContentStore } from '../../src/event-sourcing/ports/content-store.port.js';
import { Faults } from '../kit/faults.js';
import { JobScene } from '../kit/job-scene.js';
import { startTestService, type TestService } from '../kit/service.js';
import type { Leased } from '../kit/world.js';
import { verdict } from './asking.js';
import { openTestStores } from '../kit/stores.js';

const fetchedBy = async ({ agent }: JobScene, { job_id }: Leased) =>
  verdict(await agent.call('GET', `/jobs/${job_id}/content`));

describe('a job whose document is lost', () => {
  let service: TestService;
  let scene: JobScene;
  beforeEach(async () => {
    service = await startTestService();
    scene = await JobScene.open(service);
  });
  afterEach(() => service.close());

  const fetched = (lease: Leased) => fetchedBy(scene, lease);
  const lose = ({ job_id }: Leased) => service.stores.contents.delete(job_id);

  it.each(['leased', 'accepted'] as const)(
    'fails permanently with a reason when its agent fetches the document while it is %s',
    async (stage) => {
      const lease = await scene.at(stage);
      await lose(lease);
      expect(await fetched(lease)).toBe('404 CONTENT_NOT_FOUND');

      const job = await scene.job(lease.job_id);
      expect(job).toMatchObject({
        status: 'failed',
        failure_code: 'CONTENT_NOT_FOUND',
        failure_class: 'permanent',
        failure_message: 'The service has lost the document. Nothing was printed.',
        retry_state: 'none',
        can_retry: false,
      });
      expect(job.history.at(-1)).toMatchObject({
        event_type: 'job.failed',
        outcome: 'failed',
        details: { failure_code: 'CONTENT_NOT_FOUND', failure_class: 'permanent' },
      });
      expect(verdict(await scene.retry(lease.job_id))).toBe('409 SVC_JOB_STATE_CONFLICT');
      expect(verdict(await scene.agent.handoff(lease))).toBe('409 LEASE_LOST');
      expect(await fetched(lease)).toBe('404 CONTENT_NOT_FOUND');
      expect((await scene.job(lease.job_id)).history).toHaveLength(job.history.length);
    },
  );

  it('does not block leases of other jobs', async () => {
    for (let n = 0; n < 4; n++) await scene.create();
    const waiting = await scene.create();
    const lost = await scene.agent.lease();
    expect(lost).toHaveLength(4);
    for (const lease of lost) {
      await lose(lease);
      await fetched(lease);
    }

    expect((await scene.agent.lease()).map(({ job_id }) => job_id)).toEqual([waiting]);
  });

  it('is not ended after its hand-off', async () => {
    const lease = await scene.at('handed_off');
    await lose(lease);
    expect(await fetched(lease)).toBe('404 CONTENT_NOT_FOUND');
    expect((await scene.job(lease.job_id)).status).toBe('accepted_by_agent');
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
