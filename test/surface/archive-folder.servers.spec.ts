import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answered } from '../kit/http/client.js';
import { JobScene } from '../kit/job-scene.js';
import { ManualClock } from '../kit/manual-clock.js';
import { eventually } from '../kit/polling.js';
import { openTestServerStores, startServers, type Servers } from '../kit/server-stores.js';
import { startTestService, type TestService } from '../kit/service.js';
import { DAY, HOUR, MINUTE, verdict } from './asking.js';
import { digests, DIFFERS, exported } from './export-import.js';

const SVC_MASTER_KEY = Buffer.alloc(32, 'key').toString('base64');
const JOBS = 3;

describe('a service with an archive folder', () => {
  let folder: string;
  let servers: Servers;
  let service: TestService;
  const clock = new ManualClock();
  let scene: JobScene;
  let old: string[];
  let young: string;
  let cursor: string;
  let before: Awaited<ReturnType<typeof told>>;

  const start = (env: Record<string, string> = {}) =>
    startTestService({
      clock,
      stores: (config, time) => openTestServerStores(config, time, servers),
      env: { SVC_MASTER_KEY, ARCHIVE_AFTER_DAYS: '31', ...servers.env, ...env },
    });
  const ask = (path: string) => service.call('GET', path, { as: scene.key });
  const parts = ({ status, headers, body }: Answered) =>
    JSON.stringify([status, headers.get('etag'), body.code, body.data]);
  const typesOf = async (jobId: string) =>
    (await service.stores.events.load(`job-${jobId}`)).map(({ type }) => type);

  async function told() {
    const paths = old.flatMap((id) => ['', '/explanation'].map((more) => `/svc-api-print-jobs/${id}${more}`));
    await service.operate('POST', '/evidence/publish');
    const { total, events } = await service.operate('POST', '/evidence/audit');
    return {
      jobs: await Promise.all(paths.map(async (path) => parts(await ask(path)))),
      changes: (await ask('/svc-api-changes?limit=1000')).body.data!.items,
      changesLater: (await ask(`/svc-api-changes?limit=1000&after=${cursor}`)).body.data!.items,
      proof: (await ask(`/evidence/jobs/${old[0]}`)).text.match(/^(entry|body) .*$/gm),
      audit: { total, events },
    };
  }
  const exportedJobs = async () =>
    (await exported(service)).split('\n').filter((line) => old.some((id) => line.includes(`job-${id}`)));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rps-folder-'));
    await writeFile(join(folder, '.rps-archive'), '');
    servers = await startServers();
    service = await start();
    scene = await JobScene.open(service);
    old = [];
    for (let n = 0; n < JOBS; n++) old.push((await scene.at('completed', { title: `Order ${n}` })).job_id);
    cursor = String((await ask('/svc-api-changes?limit=2')).body.data!.next_cursor);
    for (let day = 0; day < 32; day++) await service.advance(DAY);
    young = await scene.create();
    await service.advance(2 * DAY);
    await eventually('the old jobs to be archived', async () => {
      await service.advance(10 * MINUTE);
      const types = await Promise.all(old.map(typesOf));
      return types.every((of) => of.includes('JobArchived')) || undefined;
    });
    before = await told();
  }, 600_000);
  afterAll(async () => {
    await service.close();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('moves the events of archived jobs there, and answers as before', async () => {
    const exportedBefore = await exportedJobs();
    const digestsBefore = await digests(service);
    await service.advance(2 * HOUR);
    await service.close();
    service = await start({ ARCHIVE_DIR: folder });
    scene = new JobScene(service, scene.accountId, scene.key, scene.agent, scene.printerId);
    await eventually('the truncated streams', async () => {
      const listed = await service.stores.events.load('rpsArchive');
      return listed.some(({ type }) => type === '$rps-archive-done') || undefined;
    });
    expect((await readdir(folder)).filter((name) => name.endsWith('.db'))).toHaveLength(1);
    expect(await servers.events.scavenge()).toBeGreaterThan(JOBS * 5);

    expect(await told()).toEqual(before);
    expect(before.audit.total).toBe(0);
    expect(Number(before.audit.events)).toBeGreaterThan(JOBS * 8);
    expect(await exportedJobs()).toEqual(exportedBefore);
    for (const name of ['job-view', 'audit']) await service.operate('POST', `/views/${name}/rebuild`);
    const digestsAfter = await digests(service);
    expect(Object.values(digestsAfter)).not.toContain(DIFFERS);
    for (const name of ['job-view', 'audit']) expect(digestsAfter[name]).toBe(digestsBefore[name]);
  });

  it('answers 503 for archived jobs while the folder is away, and serves all others', async () => {
    await service.close();
    await rename(folder, `${folder}-away`);
    service = await start({ ARCHIVE_DIR: folder });
    const shown = await ask(`/svc-api-print-jobs/${old[0]}`);
    expect(verdict(shown)).toBe('503 SVC_UNAVAILABLE');
    expect((await ask(`/svc-api-print-jobs/${young}`)).status).toBe(200);
    expect(verdict(await ask(`/svc-api-print-jobs/${scene.accountId}`))).toBe('404 SVC_JOB_NOT_FOUND');
    await rename(`${folder}-away`, folder);
    expect(parts(await ask(`/svc-api-print-jobs/${old[0]}`))).toBe(before.jobs[0]);
  });

  it('refuses to start without it', async () => {
    const another = await start();
    await expect(another.stores.events.check().finally(() => another.close())).rejects.toThrow('ARCHIVE_DIR');
  });
});
