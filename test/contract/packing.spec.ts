import Database from 'better-sqlite3';
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import { plus } from '../../src/kernel/time.js';
import type { Append } from '../../src/event-sourcing/ports/event-store.port.js';
import type { PackingRule, Stores } from '../../src/event-sourcing/ports/stores.js';
import { NOON } from '../kit/recorded.js';
import { asOlderRelease } from '../kit/stored-rows.js';
import { implementations, storesOf } from './implementations.js';
import { begin, closed, goOn, moved, written } from './sample-appends.js';

/** The events of the samples are of noon. */
const AT_REST = { before: NOON, categories: ['note'] };
const STREAMS = ['note-1', 'note-2', 'other-9'];

async function everythingIn({ events, maintenance }: Stores) {
  const pages = [];
  for (let after: string | undefined; ;) {
    const page = await events.readAll({ max: 2, ...(after && { after }) });
    if (page.length === 0) break;
    pages.push(...page);
    after = page.at(-1)!.position;
  }
  const all = await events.readAll({ max: 100 });
  expect(pages).toEqual(all);
  const streams = await Promise.all(STREAMS.map((stream) => events.load(stream)));
  const parts = await Promise.all(STREAMS.map((stream) => events.load(stream, { from: 1, max: 1 })));
  const views = await maintenance.verify();
  return { all, streams, parts, head: await events.head(), views };
}

describe.each(implementations)('packing in $name', (implementation) => {
  const fixture = storesOf(implementation);
  const pack = (rule: PackingRule = AT_REST) => fixture.stores.packing!.run(rule);
  const packs = () => {
    const db = new Database(join(fixture.folder, 'rps.db'), { readonly: true });
    const rows = db.prepare('SELECT first, last FROM packs ORDER BY id').raw().all();
    db.close();
    return rows;
  };
  const first: Append[] = [
    begin('note-1', written('one'), moved('out')),
    begin('other-9', written('other')),
    begin('note-2', written('two')),
    goOn('note-1', 1, closed()),
  ];

  it('packs streams at rest of the named categories without changing any read', async () => {
    await fixture.append(...first);
    const before = await everythingIn(fixture.stores);

    expect(await pack()).toBe(2);
    expect(packs()).toEqual([
      [0, 2],
      [0, 0],
    ]);
    expect(await everythingIn(fixture.stores)).toEqual(before);
    await fixture.reopen();
    expect(await everythingIn(fixture.stores)).toEqual(before);
    expect(await pack()).toBe(0);
  });

  it('skips streams with a recent last event', async () => {
    await fixture.append(...first);
    expect(await pack({ ...AT_REST, before: plus(NOON, -1) })).toBe(0);
  });

  it('continues a packed stream, and refuses and repeats appends as for any other', async () => {
    await fixture.append(...first);
    await pack();
    await fixture.reopen();
    const late = goOn('note-1', 2, moved('in'));
    const { events } = fixture.stores;

    await expect(events.append(goOn('note-2', 5, closed()))).rejects.toMatchObject({ actual: 0 });
    await expect(events.append(begin('note-1', written()))).rejects.toMatchObject({ actual: 2 });
    expect(await events.append(first[2]!)).toMatchObject({ revision: 0, position: positionFromNumber(4) });
    expect(await events.append(late)).toMatchObject({ revision: 3, position: positionFromNumber(6) });
    expect((await events.load('note-1')).map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);

    const before = await everythingIn(fixture.stores);
    expect(await pack()).toBe(1);
    expect(packs()).toEqual([
      [0, 3],
      [0, 0],
    ]);
    expect(await everythingIn(fixture.stores)).toEqual(before);
  });

  describe('of streams that are over', () => {
    const OVER = { ...AT_REST, over: ['NoteClosed'] };
    const folder = () => join(fixture.folder, 'archive');
    const files = () => (existsSync(folder()) ? readdirSync(folder()) : []);
    const sizeOf = (file: string) => statSync(join(folder(), file)).size;
    const MONTH = NOON.slice(0, 'YYYY-MM'.length);

    it('moves them to the file of their month without changing any read', async () => {
      await fixture.append(...first);
      const before = await everythingIn(fixture.stores);
      expect(await pack(OVER)).toBe(2);
      expect([packs(), files()]).toEqual([
        [
          [0, 2],
          [0, 0],
        ],
        [MONTH],
      ]);
      expect(await everythingIn(fixture.stores)).toEqual(before);
      await fixture.reopen();
      expect(await everythingIn(fixture.stores)).toEqual(before);
    });

    it('moves a packed stream once it is over, and packs one that goes on in the database', async () => {
      await fixture.append(...first.slice(0, 3));
      await pack(OVER);
      expect(files()).toEqual([]);
      await fixture.append(first[3]!);
      await pack(OVER);
      const size = sizeOf(MONTH);
      await fixture.append(goOn('note-1', 2, moved('in')));
      const before = await everythingIn(fixture.stores);
      await pack(OVER);
      expect([packs()[0], sizeOf(MONTH)]).toEqual([[0, 3], size]);
      expect(await everythingIn(fixture.stores)).toEqual(before);
      await fixture.append(goOn('note-1', 3, closed()), begin('note-3', written('three'), closed()));
      const after = await everythingIn(fixture.stores);
      await pack(OVER);
      await fixture.reopen();
      expect(await everythingIn(fixture.stores)).toEqual(after);
      expect(sizeOf(MONTH)).toBeGreaterThan(size);
    });

    it('names the stream whose part of the file is missing', async () => {
      await fixture.append(...first);
      await pack(OVER);
      truncateSync(join(folder(), MONTH), sizeOf(MONTH) - 1);
      await fixture.reopen();
      const { events } = fixture.stores;
      await expect(events.load('note-1')).rejects.toMatchObject({ stream: 'note-1', revision: 0 });
      expect(await events.load('note-2')).toHaveLength(1);
      rmSync(folder(), { recursive: true });
      await expect(events.load('note-1')).rejects.toMatchObject({ stream: 'note-1', revision: 0 });
    });
  });

  it('begins a new pack when the last one is full', async () => {
    const moves = (count: number) => Array.from({ length: count }, (_, n) => moved(`folder ${n}`));
    await fixture.append(begin('note-1', written(), ...moves(69)));
    await pack();
    await fixture.append(goOn('note-1', 69, ...moves(2)));
    await pack();
    expect(packs()).toEqual([
      [0, 69],
      [70, 71],
    ]);
    expect(await fixture.stores.events.load('note-1', { from: 68 })).toHaveLength(4);
  });

  it.each([
    ['with', { checksums: true }],
    ['without', { checksums: false }],
  ])('packs the events of an earlier release %s checksums', async (_, form) => {
    await fixture.append(...first);
    const before = await everythingIn(fixture.stores);
    await fixture.stores.close();
    asOlderRelease(join(fixture.folder, 'rps.db'), form);
    await fixture.reopen();
    expect(await everythingIn(fixture.stores)).toEqual(before);

    expect(await pack()).toBe(2);
    expect(await everythingIn(fixture.stores)).toEqual(before);
    await fixture.reopen();
    expect(await everythingIn(fixture.stores)).toEqual(before);
  });

  it.each([
    ['data', "UPDATE events SET data = replace(data, 'two', 'too')"],
    ['metadata', "UPDATE events SET metadata = substr(metadata, 2) WHERE data LIKE '%two%'"],
  ])('leaves a stream with damaged %s in place, names it, and packs the others', async (_, damage) => {
    await fixture.append(...first);
    await fixture.stores.close();
    const db = new Database(join(fixture.folder, 'rps.db'));
    db.exec(damage);
    db.close();
    await fixture.reopen();

    await expect(pack()).rejects.toThrow('event 0 of stream note-2');
    expect(packs()).toEqual([[0, 2]]);
    await expect(fixture.stores.events.load('note-2')).rejects.toMatchObject({ stream: 'note-2' });
    await fixture.append(begin('note-3', written('three')));
    expect(await pack()).toBe(1);
  });

  it('names the stream of a damaged pack', async () => {
    await fixture.append(...first);
    await pack();
    await fixture.stores.close();
    const db = new Database(join(fixture.folder, 'rps.db'));
    db.exec('UPDATE packs SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE last = 2');
    db.close();
    await fixture.reopen();
    const { events } = fixture.stores;

    await expect(events.load('note-1')).rejects.toMatchObject({ stream: 'note-1', revision: 0 });
    await expect(events.readAll({ max: 9 })).rejects.toMatchObject({ stream: 'note-1' });
    expect(await events.load('note-2')).toHaveLength(1);
  });

  it('allows appends meanwhile', async () => {
    const notes = Array.from({ length: 200 }, (_, n) => begin(`note-${n}`, written(`text ${n}`), closed()));
    await fixture.append(...notes);
    const packing = pack();
    const late = Array.from({ length: 50 }, (_, n) => goOn(`note-${n}`, 1, moved('out')));
    await fixture.append(...late);
    expect(await packing).toBeGreaterThanOrEqual(200);
    const all = await fixture.stores.events.readAll({ max: 1_000 });
    expect(all.map(({ position }) => Number(position))).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
  });
});
