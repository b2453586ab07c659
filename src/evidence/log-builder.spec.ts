import fc from 'fast-check';
import type { HashStore } from '../event-sourcing/index.js';
import { EvidenceScene, job, queued } from '../../test/kit/evidence-scene.js';
import { vectors } from '../../test/kit/evidence-vectors.js';
import { LogBuilder, type LogSources } from './log-builder.js';
import { progressOf } from './progress.js';
import { StoredLog } from './stored-log.js';
import { rootOf } from './tree.js';

/** Stores each page. */
const SMALL = { storedAt: 256 };

async function built(sources: LogSources): Promise<LogBuilder> {
  const builder = new LogBuilder(sources);
  while (!(await builder.advance()).isAtEnd);
  return builder;
}

/** Fails at some of its writes, as a kill does. */
function failing(hashes: HashStore, at: number): HashStore {
  let writes = 0;
  const put: HashStore['put'] = async (...given) => {
    if (++writes === at) throw new Error('killed');
    await hashes.put(...given);
  };
  return Object.assign(Object.create(hashes) as HashStore, { put });
}

async function rootIn({ hashes }: EvidenceScene): Promise<string> {
  const { size } = progressOf(await hashes.progress());
  return (await rootOf(new StoredLog(hashes), size)).toString('base64');
}

describe('building the log', () => {
  it('gives the leaves and roots of the vectors', async () => {
    const scene = new EvidenceScene();
    for (const [n, { body, entry }] of vectors.entries.entries()) {
      const [, , , , stream] = entry.split(' ') as string[];
      await scene.append({ ...(JSON.parse(body) as { type: string; data: object }), stream: stream! });
      await scene.append({ stream: `claim-${n}`, type: 'Claimed', data: {} });
      await scene.append({ stream: `delivery-${n}`, type: 'DeliveryCreated', data: { accountId: 'a' } });
    }
    await built(scene.sources);
    const log = new StoredLog(scene.hashes);
    for (const [n, { leafHash }] of vectors.entries.entries()) {
      expect(await log.leafHash(n)).toBe(leafHash);
      expect((await rootOf(log, n + 1)).toString('base64')).toBe(vectors.roots[n]);
    }
  });

  it('finds positions, entries and counts again', async () => {
    const scene = new EvidenceScene();
    await scene.append(
      job(1),
      job(2, 'b'),
      queued(1),
      { stream: 'claim-1', type: 'Claimed', data: {} },
      queued(2),
    );
    const { size } = await (await built(scene.sources)).advance();
    const log = new StoredLog(scene.hashes);
    expect(size).toBe(4);
    expect(await Promise.all([0, 1, 2, 3].map((leaf) => log.position(leaf)))).toEqual(
      [1, 2, 3, 5].map((position) => String(position).padStart(20, '0')),
    );
    expect(await log.leafFrom('00000000000000000004', size)).toBe(3);
    expect(await log.leafOf('b', 1)).toBe(3);
    expect(await Promise.all([0, 1, 3, 4].map((before) => log.countOf('a', before)))).toEqual([0, 1, 2, 2]);
    expect(await log.countOf('unknown', size)).toBe(0);
  });

  it('stores the same whatever interrupts it, and with two builders at once', async () => {
    const scene = new EvidenceScene();
    const events = fc.sample(fc.integer({ min: 0, max: 40 }), { numRuns: 1_400, seed: 7 });
    const known = new Set<number>();
    for (const n of events) {
      await scene.append(known.has(n) ? queued(n) : job(n, `account-${n % 3}`));
      known.add(n);
    }
    await built(scene.sources);
    const whole = await rootIn(scene);
    const expected = await scene.blobs();
    expect(new Set([...expected.keys()].map((key) => key.slice(0, 4)))).toEqual(
      new Set(['t/0/', 't/1/', 'p/0', 'p/1', 'p/2', 'p/3', 'p/4', 'p/5', 'a/ac', 'h/ac']),
    );
    await scene.hashes.clear();
    for (let at = 1; at <= 3; at++) {
      const builder = new LogBuilder({ ...scene.sources, hashes: failing(scene.hashes, at) }, SMALL);
      await expect(
        (async () => {
          while (!(await builder.advance()).isAtEnd);
        })(),
      ).rejects.toThrow('killed');
    }
    const [one, two] = [new LogBuilder(scene.sources, SMALL), new LogBuilder(scene.sources)];
    for (let both = [false, false]; !both.every(Boolean);)
      both = (await Promise.all([one.advance(), two.advance()])).map(({ isAtEnd }) => isAtEnd);
    expect(await rootIn(scene)).toBe(whole);
    expect(await scene.blobs()).toEqual(expected);
  });

  it('continues after a failed write without a restart', async () => {
    const scene = new EvidenceScene();
    await scene.append(job(1), queued(1));
    const builder = new LogBuilder({ ...scene.sources, hashes: failing(scene.hashes, 1) });
    await expect(builder.advance()).rejects.toThrow('killed');
    expect(await builder.advance()).toMatchObject({ size: 2, isAtEnd: true });
  });

  it('begins anew if hashes are missing', async () => {
    const scene = new EvidenceScene();
    await scene.append(job(1), queued(1));
    await built(scene.sources);
    const root = await rootIn(scene);
    const progress = (await scene.hashes.progress())!;
    await scene.hashes.clear();
    await scene.hashes.put(new Map(), progress);
    await built(scene.sources);
    expect(await rootIn(scene)).toBe(root);
  });

  it.each([1, 0])('does not take lost entries of an account for none: blob %i', async (n) => {
    const scene = new EvidenceScene();
    await scene.append(job(1), ...Array.from({ length: 299 }, () => queued(1)));
    await built(scene.sources);
    scene.lose(`a/a/${n}`);
    await expect(new StoredLog(scene.hashes).countOf('a', n === 1 ? 300 : 200)).rejects.toThrow(`a/a/${n}`);
  });

  it.each(['a/a/0', 't/0/0', 't/1/0', 'p/0'])('begins anew if it comes to lack %s', async (key) => {
    const scene = new EvidenceScene();
    await scene.append(job(1), ...Array.from({ length: 298 }, () => queued(1)));
    const log = scene.log();
    await log.publish();
    scene.lose(key);
    await scene.append(queued(1));
    const reader = new StoredLog(scene.hashes, 299);
    const reads = [reader.countOf('a', 200), reader.position(1), reader.leafHash(1), rootOf(reader, 299)];
    expect((await Promise.allSettled(reads)).filter(({ status }) => status === 'rejected')).not.toEqual([]);
    expect(await log.publish()).toMatchObject({ size: 300, log: { checkpoint: { size: 300 } } });
    expect([...(await scene.blobs()).keys()]).toContain(key);
  });

  it.each(['a/a/1', 'h/a', 't/0/0', 't/0/1', 't/1/0', 'p/1', 'progress'])(
    'signs nothing that rests on a changed byte in %s, and begins anew',
    async (key) => {
      const scene = new EvidenceScene();
      await scene.append(job(1), ...Array.from({ length: 299 }, () => queued(1)));
      const log = scene.log();
      await log.publish();
      await scene.append(queued(1));
      const whole = new EvidenceScene();
      await whole.append(job(1), ...Array.from({ length: 300 }, () => queued(1)));
      scene.spoil(key);
      const published = await scene
        .log()
        .publish()
        .catch(() => scene.log().publish());
      expect(published).toMatchObject({ size: 301, log: { checkpoint: { size: 301 } }, isAtEnd: true });
      expect(scene.halts).toEqual([]);
      expect(await new StoredLog(scene.hashes).countOf('a', 301)).toBe(301);
      const sources = { texts: scene.sources.texts, hashes: whole.hashes };
      await built(sources);
      expect(await rootIn(whole)).toBe(await rootIn(scene));
    },
  );

  it('begins anew if it meets a lost hash itself', async () => {
    const scene = new EvidenceScene();
    await scene.append(job(1), queued(1));
    await scene.log().publish();
    scene.lose('a/a/0');
    await scene.append(queued(1));
    expect(await scene.log().publish()).toMatchObject({ size: 3, log: { checkpoint: { size: 3 } } });
    expect(scene.halts).toEqual([]);
  });

  it('reads the events of a lost log once while it waits for another', async () => {
    const scene = new EvidenceScene();
    await scene.append(job(1));
    const log = scene.log();
    await log.publish();
    await scene.append(job(2));
    await log.publish();
    scene.tamper('DELETE FROM events WHERE position = (SELECT max(position) FROM events)');
    const { texts, hashes } = scene.sources;
    const searches: number[] = [];
    const stream: typeof texts.stream = (name, from, max) => {
      if (max > 1) searches.push(from);
      return texts.stream(name, from, max);
    };
    const counted = Object.assign(Object.create(texts) as typeof texts, { stream });
    const builder = new LogBuilder({ texts: counted, hashes });
    const halts = [await builder.advance(), await builder.advance(), await builder.advance()];
    expect(halts.map(({ halt }) => halt?.reason)).toEqual(Array(3).fill('store_behind'));
    expect(searches).toEqual([0, 2, 2]);
  });
});
