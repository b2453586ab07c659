import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOMES, exported, kept, live, startSource, startTarget, type Home } from './export-import.js';
import { exportsAndImports } from './export-import-events.contract.js';
import { startTestService } from '../kit/service.js';
import { rpsAt } from '../kit/rps-at.js';

describe.each<[Home, Home]>([
  ['sqlite', 'servers'],
  ['servers', 'sqlite'],
])('exporting and importing events from %s to %s', exportsAndImports);

describe('exporting and importing documents to server stores', () => {
  it('transfers all of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rps-documents-'));
    const source = await startSource('sqlite');
    const { waiting } = await live(source);
    const target = await startTarget('servers', source);
    await rpsAt(target, ['events', 'import'], await exported(source));
    await rpsAt(source, ['contents', 'export', folder]);
    const { out } = await rpsAt(target, ['contents', 'import', folder]);
    const files = await readdir(folder);
    expect(JSON.parse(out)).toEqual({ stored: files.length, known: 0, left_out: 0 });
    expect(await target.stores.contents.get(waiting)).toEqual(await source.stores.contents.get(waiting));
    await Promise.all([source.close(), target.close()]);
    await rm(folder, { recursive: true });
  });
});

describe('importing beside a worker', () => {
  it('is refused: imports need ROLE=api and no running worker', async () => {
    const worker = await startTestService(HOMES.servers);
    const source = await startSource('memory');
    await live(source);
    const beside = await startTestService({
      env: { ROLE: 'api' },
      stores: () => ({ ...worker.stores, close: async () => undefined }),
    });
    const { code, err } = await rpsAt(beside, ['events', 'import'], await exported(source));
    expect([code, err]).toEqual([1, expect.stringMatching(/^rps: WORKER_RUNNING \(409\)/)]);
    expect(await kept(beside)).toEqual([]);
    await beside.close();
    await Promise.all([source.close(), worker.close()]);
  });
});
