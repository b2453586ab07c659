import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestService } from '../kit/service.js';
import { createJob } from '../kit/world.js';
import {
  DIFFERS,
  digests,
  exported,
  happened,
  kept,
  live,
  startSource,
  startTarget,
  type Home,
  type Lived,
} from './export-import.js';
import { rpsAt } from '../kit/rps-at.js';

/** Requirements on a transfer between any two kinds of stores. */
export function exportsAndImports(from: Home, to: Home): void {
  let source: TestService;
  let lived: Lived;
  let target: TestService;
  beforeAll(async () => {
    source = await startSource(from);
    lived = await live(source);
    await source.advance(20_000);
    await happened(source, 'JobRequeued');
  });
  beforeEach(async () => {
    target = await startTarget(to, source);
  });
  afterEach(() => target.close());
  afterAll(() => source.close());

  const importing = (text: string) => rpsAt(target, ['events', 'import', '-'], text);

  const expectSameViews = async () => {
    const views = await digests(target);
    expect(Object.values(views)).not.toContain(DIFFERS);
    if (from === to) expect(views).toEqual(await digests(source));
  };

  it('keeps ids, order, revisions, data and metadata, and yields equal views', async () => {
    const { code, out, err } = await importing(await exported(source));
    expect([code, err]).toEqual([0, '']);
    const events = await kept(source);
    expect(JSON.parse(out)).toEqual({ appended: events.length, known: 0, left_out: 1 });
    expect(await kept(target)).toEqual(events);
    await expectSameViews();
  });

  it('does not move the operator token', async () => {
    await importing(await exported(source));
    expect((await target.call('GET', '/operator/accounts', { as: source.operatorToken })).status).toBe(401);
    expect((await target.call('GET', '/operator/accounts', { as: target.operatorToken })).status).toBe(200);
  });

  it('changes nothing when repeated', async () => {
    const text = await exported(source);
    await importing(text);
    const before = await target.stores.events.head();
    const { code, out } = await importing(text);
    expect([code, JSON.parse(out)]).toMatchObject([0, { appended: 0, known: (await kept(source)).length }]);
    expect(await target.stores.events.head()).toBe(before);
  });

  it('continues an import interrupted in the middle of an append', async () => {
    const text = await exported(source);
    const lines = text.split('\n');
    for (const whole of [4, 5, 17, 23, 31]) await importing(lines.slice(0, whole).join('\n'));
    expect(await kept(target)).toHaveLength(30);
    expect((await importing(text)).err).toBe('');
    expect(await kept(target)).toEqual(await kept(source));
    await expectSameViews();
  });

  it('reports a truncated export', async () => {
    const text = await exported(source);
    const { code, err } = await importing(text.slice(0, text.length - 20));
    expect([code, err]).toEqual([1, expect.stringMatching(/^rps: line \d+ is not JSON\nnext: /)]);
  });

  it('imports later events separately', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rps-moving-'));
    const first = await exported(source);
    const { position } = JSON.parse(first.trimEnd().split('\n').at(-1)!) as { position: string };
    await createJob(source, lived.account.key, lived.printerId);
    const file = join(folder, 'later.ndjson');
    await writeFile(file, await exported(source, '--after', position));
    await importing(first);
    expect((await rpsAt(target, ['events', 'import', file])).code).toBe(0);
    expect(await kept(target)).toEqual(await kept(source));
    await rm(folder, { recursive: true });
  });
}
