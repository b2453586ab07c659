import { JobScene } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import type { Leased, TestAgent } from '../../kit/world.js';

const JOBS = 60;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const line = ({ job_id, lease_id, fence }: Leased, phase: string) => ({ job_id, lease_id, fence, phase });
const isPermitted = async (agent: TestAgent, lease: Leased) => (await agent.handoff(lease)).status === 200;

/** The clone starts with the same journal and requests the permit at once, and again later. */
async function takeOver(clone: TestAgent, lease: Leased): Promise<boolean> {
  await clone.start([line(lease, 'accepted')]);
  return isPermitted(clone, lease);
}

describe('two machines with one credential racing for the hand-off', () => {
  it('get exactly one permit', async () => {
    const scene = await JobScene.open(service);
    let older = scene.agent;
    older.namesSession = true;
    const winners = { older: 0, clone: 0 };
    for (let n = 0; n < JOBS; n++) {
      const jobId = await scene.create();
      const [lease] = (await older.lease(1)) as [Leased];
      await older.accept(lease);
      const clone = older.clone();
      const turns = Array.from({ length: n % 6 }, () => 0);
      const olderAsks = async () => {
        for (const _ of turns) await new Promise(setImmediate);
        return isPermitted(older, lease);
      };
      const [olderMay, cloneMay] = await Promise.all([olderAsks(), takeOver(clone, lease)]);
      const again = [await isPermitted(older, lease), await isPermitted(clone, lease)];
      expect([olderMay, cloneMay].filter(Boolean)).toHaveLength(1);
      expect(again).toEqual([false, cloneMay]);
      expect((await scene.history(jobId)).filter((type) => type === 'job.handoff_started')).toHaveLength(1);
      winners[olderMay ? 'older' : 'clone']++;
      await clone.report(lease, 'spooler_completed');
      // Only the clone continues.
      older = clone;
      Object.assign(scene, { agent: clone });
    }
    expect(winners.older).toBeGreaterThan(0);
    expect(winners.clone).toBeGreaterThan(0);
  }, 600_000);
});
