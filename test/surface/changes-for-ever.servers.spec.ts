import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactDatabase } from '../../src/event-sourcing/embedded/compaction.js';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { JobScene } from '../kit/job-scene.js';
import type { ManualClock } from '../kit/manual-clock.js';
import { startTestService, type TestService, type TestServiceOptions } from '../kit/service.js';
import { inProcess } from '../kit/stores.js';
import { HOUR } from './asking.js';
import { exported, HOMES, projectionsUrl } from './export-import.js';
import { rpsAt } from '../kit/rps-at.js';

const SVC_MASTER_KEY = Buffer.alloc(32, 'key').toString('base64');
const CATEGORIES = ['job', 'delivery', 'claim'];

describe('a cursor of changes', () => {
  let folder: string;
  let clock: ManualClock;
  let service: TestService;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rps-cursor-'));
    service = await start();
    clock = service.clock;
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const start = (more: Partial<TestServiceOptions> = {}) =>
    startTestService({
      stores: (_, time) =>
        openEmbeddedStores({ dataDir: folder, clock: time, threads: inProcess, projectionsUrl }),
      ...(clock && { clock }),
      ...more,
      env: { SVC_MASTER_KEY, ...more.env },
    });

  it('goes on after rebuilt views, packing, rps compact, and a move to the server stores and back', async () => {
    const scene = await JobScene.open(service);
    for (let n = 0; n < 3; n++) await scene.at('completed');
    const page = async (query: string) => {
      const { body } = await service.call('GET', `/svc-api-changes?${query}`, { as: scene.key });
      return body.data as { items: { event_id: string }[]; next_cursor: string };
    };
    const first = await page('limit=9');
    const rest = await page(`limit=1000&after=${first.next_cursor}`);
    const expectTheRest = async () =>
      expect(await page(`limit=1000&after=${first.next_cursor}`)).toEqual(rest);
    const before = service.fromNow(HOUR);
    expect(rest.items.length).toBeGreaterThan(12);

    const { items: views } = await service.operate('GET', '/views');
    for (const { name } of views as { name: string }[])
      expect(await rpsAt(service, ['views', 'rebuild', name])).toMatchObject({ code: 0 });
    await expectTheRest();

    expect(await service.stores.packing!.run({ before, categories: CATEGORIES })).toBeGreaterThan(2);
    await expectTheRest();

    await service.close();
    await compactDatabase(folder, { before, categories: CATEGORIES });
    service = await start();
    await expectTheRest();

    for (const home of ['servers', 'sqlite'] as const) {
      const events = await exported(service);
      await service.close();
      service = await start({ ...HOMES[home], env: { ROLE: 'api' } });
      expect(await rpsAt(service, ['events', 'import', '-'], events)).toMatchObject({ code: 0, err: '' });
      await expectTheRest();
    }
  });
});
