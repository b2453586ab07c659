import type { KeptDocument, ViewBuild } from '../../src/event-sourcing/ports/view-writer.port.js';
import { positionFromNumber as at } from '../../src/event-sourcing/write/event-codec.js';
import { kept, lease, note, other, shownBuildOf, view, type WriterFixture } from './writer-fixture.js';

export function viewWriterContract(fixture: WriterFixture): void {
  const mine = () => fixture.instances[0];
  const theirs = () => fixture.instances[1];
  const write = (build: ViewBuild, ...documents: KeptDocument[]) =>
    mine().writer.write([{ build, documents }]);

  const shownBuild = (of = view) => shownBuildOf(mine(), of);

  describe('taking over', () => {
    it('starts at no position in a new read store', async () => {
      expect(await mine().writer.progress()).toBeUndefined();
      expect(await mine().writer.takeOver(lease(3))).toEqual({ position: undefined, epoch: 3 });
      expect(await theirs().writer.progress()).toEqual({ position: undefined, epoch: 3 });
    });

    it('continues at the position of the previous leader', async () => {
      await mine().writer.takeOver(lease(3));
      await mine().writer.advance(at(5), lease(3));

      expect(await theirs().writer.takeOver(lease(4))).toEqual({ position: at(5), epoch: 4 });
      expect(await theirs().writer.takeOver(lease(4))).toEqual({ position: at(5), epoch: 4 });
    });

    it('fails once a later epoch has taken over', async () => {
      const build = await shownBuild();
      await theirs().writer.takeOver(lease(2));

      expect(await mine().writer.takeOver(lease(1))).toBeUndefined();
      expect(await mine().writer.advance(at(1), lease(1))).toBe(false);
      expect(await mine().writer.activate(build, lease(1))).toBe(false);
      expect(await mine().writer.progress()).toEqual({ position: undefined, epoch: 2 });
    });
  });

  describe('rolling back', () => {
    it('discards position and builds', async () => {
      const build = await shownBuild();
      await write(build, note('a', 0));
      await mine().writer.advance(at(5), lease(1));
      expect(await mine().writer.rollBack(lease(1), at(3))).toBe(true);

      expect(await mine().writer.progress()).toEqual({
        position: undefined,
        epoch: 1,
        rollback: { end: at(3) },
      });
      expect(await mine().writer.active([view])).toEqual([]);
      await expect(mine().views.get(view, 'a')).rejects.toThrow('built');
    });

    it('hides new builds from readers until it is recovered, also after a take-over', async () => {
      await shownBuild();
      await mine().writer.rollBack(lease(1), at(3));
      const build = await shownBuildOf(mine());
      await write(build, note('a', 0));
      await expect(mine().views.get(view, 'a')).rejects.toThrow('built');
      expect(await mine().writer.takeOver(lease(2))).toMatchObject({ rollback: { end: at(3) } });
      expect(await mine().writer.recovered(lease(2))).toBe(true);

      expect(await mine().views.get(view, 'a')).toEqual({ id: 'a', folder: 'in', text: 'as of 0' });
      expect((await theirs().writer.progress())?.rollback).toBeUndefined();
    });

    it('fails once a later epoch has taken over', async () => {
      const build = await shownBuild();
      await theirs().writer.takeOver(lease(2));

      expect(await mine().writer.rollBack(lease(1), at(3))).toBe(false);
      expect(await mine().writer.recovered(lease(1))).toBe(false);
      expect(await theirs().writer.active([view])).toEqual([build]);
    });
  });

  describe('advancing', () => {
    it('moves forward only', async () => {
      await mine().writer.takeOver(lease(1));
      for (const place of [2, 9, 5, 9]) expect(await mine().writer.advance(at(place), lease(1))).toBe(true);

      expect((await theirs().writer.progress())?.position).toBe(at(9));
      expect(mine().progress.projected()).toBe(at(9));
    });

    it('is reported to readers of the same instance before it is stored', async () => {
      await mine().writer.takeOver(lease(1));
      const advanced = mine().writer.advance(at(3), lease(1));
      mine().writer.report(at(3));
      expect(mine().progress.projected()).toBe(at(3));
      expect(await advanced).toBe(true);
    });

    it('does nothing if the read store was lost', async () => {
      await mine().writer.takeOver(lease(1));
      await fixture.lose();

      expect(await mine().writer.advance(at(2), lease(1))).toBe(false);
      expect(await mine().writer.progress()).toBeUndefined();
    });
  });

  describe('writing documents', () => {
    it('keeps the later revision, whatever the writer and the order', async () => {
      const build = await shownBuild();
      expect(await write(build, note('a', 0), note('b', 4))).toBe(0);
      expect(await write(build, note('a', 2), note('b', 3), note('c', 0))).toBe(1);
      expect(await write(build, note('a', 2, 'another'), note('b', 4, 'another'))).toBe(2);

      const texts = (await mine().writer.load(build, ['c', 'a', 'b', 'nobody'])).map((one) => one.document);
      expect(texts).toHaveLength(3);
      expect(texts).toEqual(expect.arrayContaining([{ id: 'a', folder: 'in', text: 'as of 2' }]));
      expect(texts).toEqual(expect.arrayContaining([{ id: 'b', folder: 'in', text: 'as of 4' }]));
    });

    it('ends with the latest revision of two concurrent writers', async () => {
      const build = await shownBuild();
      const ids = Array.from({ length: 50 }, (_, n) => `note-${n}`);
      const writes = [3, 1, 4, 2, 0].map((revision, n) =>
        fixture.instances[n % 2]!.writer.write([{ build, documents: ids.map((id) => note(id, revision)) }]),
      );
      await Promise.all(writes);

      const revisions = (await mine().writer.load(build, ids)).map(({ revision }) => revision);
      expect(revisions).toEqual(ids.map(() => 4));
    });

    it('stores tombstones, which are invisible and outrank earlier revisions', async () => {
      const build = await shownBuild();
      await write(build, note('a', 0), kept('b', 2));
      await write(build, kept('a', 1));

      expect(await write(build, note('a', 0), note('b', 1))).toBe(2);
      expect(await mine().writer.load(build, ['a'])).toMatchObject([
        { id: 'a', revision: 1, document: undefined },
      ]);
      expect(await mine().views.get(view, 'a')).toBeUndefined();
      expect(await mine().views.getMany(view, ['a', 'b'])).toEqual([]);
      expect(await mine().views.count(view, {})).toBe(0);
      expect(await mine().views.count(view, { folder: [null, 'in'] })).toBe(0);
      expect(await mine().views.find(view, { where: { folder: null }, order: 'oldest', limit: 9 })).toEqual({
        documents: [],
        positions: [],
      });
    });

    it('creates a document again after its tombstone', async () => {
      const build = await shownBuild();
      await write(build, note('a', 0), note('b', 0, 'b', 2));
      await write(build, kept('a', 1));
      await write(build, note('a', 2, 'again', 3));

      const { documents } = await mine().views.find(view, { where: {}, order: 'oldest', limit: 9 });
      expect(documents).toMatchObject([{ text: 'b' }, { text: 'again' }]);
    });

    it('returns any JSON unchanged', async () => {
      const build = await shownBuild();
      const odd = {
        ...{ $set: { 'a.b': 1 }, 'a.b': 2, '': 3, '\u0000': 4, _bsontype: 'ObjectId', toBSON: 5 },
        ...{ ref: { $ref: 'x', $id: 'y', $db: 'z' }, date: { $date: 0 }, nested: { _bsontype: 'Nonsense' } },
        ...{
          text: 'lone \ud800 surrogate',
          numbers: [2 ** 53 - 1, 1e300, -0.5, 2 ** 31],
          none: [null, [], {}],
        },
        deep: JSON.parse('['.repeat(150) + ']'.repeat(150)) as unknown,
        proto: JSON.parse('{"__proto__":{"x":1}}') as unknown,
      };
      await write(build, kept('odd', 0, odd));

      const stored = await theirs().views.get<object>(view, 'odd');
      expect(JSON.stringify(stored)).toBe(JSON.stringify(odd));
    });

    it('writes into several builds at once', async () => {
      const [first, second] = [await shownBuild(), await shownBuild(other)];
      const batch = [
        { build: first, documents: [note('a', 0), note('b', 1)] },
        { build: second, documents: [note('a', 5)] },
      ];
      expect(await mine().writer.write(batch)).toBe(0);
      expect(await mine().writer.write(batch)).toBe(3);
    });
  });

  describe('requests to the leader', () => {
    it('wait for an answer for the requester', async () => {
      const rebuild = { id: 'request-1', kind: 'rebuild', view: view.name } as const;
      const verify = { id: 'request-2', kind: 'verify' } as const;
      for (const one of [rebuild, verify, rebuild]) await mine().writer.request(one);
      expect(await theirs().writer.requested()).toEqual([rebuild, verify]);
      await theirs().writer.answer(rebuild, { failure: 'there is no view' });
      await theirs().writer.answer(verify, { result: [{ 'a.b': { $c: 1 } }] });

      expect(await mine().writer.answerOf('request-1')).toEqual({ failure: 'there is no view' });
      expect(await mine().writer.answerOf('request-2')).toEqual({ result: [{ 'a.b': { $c: 1 } }] });
      expect(await mine().writer.answerOf('request-3')).toBeUndefined();
      expect(await mine().writer.requested()).toEqual([]);
    });
  });

  describe('waiting for a position', () => {
    it('resolves at once for writes of the same instance', async () => {
      await mine().writer.takeOver(lease(1));
      const waited = mine().progress.waitFor(at(2), 5_000);
      await mine().writer.advance(at(1), lease(1));
      await mine().writer.advance(at(2), lease(1));

      expect(await waited).toBe(true);
      expect(await mine().progress.waitFor(at(1), 0)).toBe(true);
    });

    it('resolves when another instance has projected it', async () => {
      await mine().writer.takeOver(lease(1));
      const waited = [1, 2, 2].map((place) => theirs().progress.waitFor(at(place), 5_000));
      await mine().writer.advance(at(2), lease(1));

      expect(await Promise.all(waited)).toEqual([true, true, true]);
      expect(theirs().progress.projected()).toBe(at(2));
    });

    it('times out', async () => {
      await mine().writer.takeOver(lease(1));

      expect(await theirs().progress.waitFor(at(3), 30)).toBe(false);
    });
  });
}
