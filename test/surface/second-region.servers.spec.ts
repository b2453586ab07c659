import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { JobScene } from '../kit/job-scene.js';
import { rpsAt } from '../kit/rps-at.js';
import { startTestService, type TestService } from '../kit/service.js';
import { inProcess } from '../kit/stores.js';
import { exported, HOMES, projectionsUrl } from './export-import.js';

const SVC_MASTER_KEY = Buffer.alloc(32, 'key').toString('base64');

describe('a second region with a copy of the events', () => {
  let folder: string;
  let first: TestService;
  let scene: JobScene;
  let second: TestService;
  /** The last copied position. */
  let last: string | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rps-region-'));
    first = await startTestService({ ...HOMES.servers, env: { SVC_MASTER_KEY } });
    scene = await JobScene.open(first);
    second = await startSecond({ ROLE: 'api' });
    last = undefined;
  });
  afterEach(async () => {
    await second.close();
    await first.close();
    await rm(folder, { recursive: true });
  });

  const startSecond = (env: Record<string, string>) =>
    startTestService({
      stores: (_, clock) =>
        openEmbeddedStores({ dataDir: folder, clock, threads: inProcess, projectionsUrl }),
      clock: first.clock,
      env: { SVC_MASTER_KEY, ...env },
    });

  async function copy(): Promise<void> {
    const lines = await exported(first, ...(last ? ['--after', last] : []));
    expect(await rpsAt(second, ['events', 'import', '-'], lines)).toMatchObject({ code: 0, err: '' });
    last = (JSON.parse(lines.trim().split('\n').at(-1)!) as { position: string }).position;
  }
  const statusIn = async (region: TestService, jobId: string) => {
    const { status, body } = await region.call('GET', `/svc-api-print-jobs/${jobId}`, { as: scene.key });
    return status === 200 ? (body.data as { status: string }).status : status;
  };

  it('shows each job as the last copy had it', async () => {
    const { job_id } = await scene.at('leased');
    await copy();
    expect(await statusIn(second, job_id)).toBe(await statusIn(first, job_id));
    const later = await scene.at('completed');
    expect(await statusIn(second, later.job_id)).toBe(404);
    await copy();
    expect(await statusIn(second, later.job_id)).toBe(await statusIn(first, later.job_id));
  });

  it('parks what may have been printed since the last copy when it takes over', async () => {
    const { job_id } = await scene.at('leased');
    await copy();
    await second.close();
    second = await startSecond({ ROLE: 'all', RESTORED: 'true' });
    expect(await statusIn(second, job_id)).toBe('manual_review');
    scene.agent.call = (method, path, call) =>
      second.call(method, `/agent${path}`, { as: scene.agent.credential, ...call });
    await scene.agent.start();
    expect(await scene.agent.lease(1)).toEqual([]);
  });
});
