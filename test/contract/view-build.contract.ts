import type { KeptDocument, ViewBuild } from '../../src/event-sourcing/ports/view-writer.port.js';
import { kept, lease, note, other, shownBuildOf, view, type WriterFixture } from './writer-fixture.js';
import { UnavailableError } from '../../src/kernel/errors.js';

export function viewBuildContract(fixture: WriterFixture): void {
  const mine = () => fixture.instances[0];
  const theirs = () => fixture.instances[1];
  const shownBuild = () => shownBuildOf(mine());
  const write = (build: ViewBuild, ...documents: KeptDocument[]) =>
    mine().writer.write([{ build, documents }]);

  describe('building a view', () => {
    it('is invisible before its activation', async () => {
      await mine().writer.takeOver(lease(1));
      const build = await mine().writer.begin(view, lease(1));
      await write(build, note('a', 0));

      expect(await mine().writer.active([view])).toEqual([]);
      await expect(theirs().views.get(view, 'a')).rejects.toThrow(UnavailableError);
      await mine().writer.activate(build, lease(1));
      expect(await mine().writer.activate(build, lease(1))).toBe(true);
      expect(await theirs().views.get(view, 'a')).toMatchObject({ id: 'a' });
      expect(await theirs().writer.active([other, view])).toEqual([build]);
    });

    it('switches readers to the new build, and keeps the old one until the next begins', async () => {
      const first = await shownBuild();
      await write(first, note('a', 0, 'first'));
      expect(await theirs().views.get(view, 'a')).toMatchObject({ text: 'first' });
      const second = await mine().writer.begin(view, lease(1));
      await write(second, note('a', 0, 'second'));
      await mine().writer.activate(second, lease(1));

      expect(await mine().views.get(view, 'a')).toMatchObject({ text: 'second' });
      expect(await mine().writer.load(first, ['a'])).toHaveLength(1);
      await mine().writer.begin(view, lease(1));
      expect(await mine().writer.load(first, ['a'])).toEqual([]);
      // The other instance may not know the second build yet.
      expect(await theirs().views.get(view, 'a')).toMatchObject({ text: 'second' });
    });

    it('of another version replaces the old one', async () => {
      await shownBuild();
      const next = { ...view, version: 2 };
      expect(await mine().writer.active([next])).toEqual([]);
      const build = await mine().writer.begin(next, lease(1));
      await mine().writer.activate(build, lease(1));

      expect(await mine().writer.active([next])).toEqual([build]);
      await expect(mine().views.get(view, 'a')).rejects.toThrow(UnavailableError);
    });

    it('is dropped when discarded, even twice', async () => {
      const live = await shownBuild();
      const build = await mine().writer.begin(view, lease(1));
      await write(build, note('a', 0));
      await mine().writer.discard(build);
      await mine().writer.discard(build);

      expect(await mine().writer.load(build, ['a'])).toEqual([]);
      expect(await mine().writer.active([view])).toEqual([live]);
    });

    it('uses a new location each time, even after a loss', async () => {
      const locations = [(await shownBuild()).location, (await mine().writer.begin(view, lease(1))).location];
      await fixture.lose();
      locations.push((await shownBuild()).location);

      expect(new Set(locations).size).toBe(3);
    });

    it('reads the whole build in order of creation', async () => {
      const build = await shownBuild();
      const many = Array.from({ length: 2_500 }, (_, n) => note(`note-${n}`, 0, 'x', 2_500 - n));
      await write(build, ...many, kept('gone', 1));

      const ids: string[] = [];
      for await (const { id } of mine().writer.all(build)) ids.push(id);
      expect(ids).toEqual(many.map(({ id }) => id).reverse());
    });
  });
}
