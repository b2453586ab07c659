import { positionFromNumber as at } from '../../src/runtime/event-codec.js';
import { lease, shownBuildOf, view, type WriterFixture } from './writer-fixture.js';

/** What the holder of the read models does beside writing them. */
export function viewUpkeepContract(fixture: WriterFixture): void {
  const mine = () => fixture.instances[0];
  const theirs = () => fixture.instances[1];

  describe('setting events aside', () => {
    it('counts each once for the build that readers are on', async () => {
      const live = await shownBuildOf(mine());
      const beside = await mine().writer.begin(view, lease(1));
      const letter = (place: string, eventId: string) => ({
        ...{ view: view.name, place, eventId, stream: 'note-1', revision: 3, position: at(7), error: 'no' },
      });
      for (const id of ['x', 'y', 'x']) await mine().writer.setAside(letter(live.place, id));
      await mine().writer.setAside(letter(beside.place, 'x'));

      expect(await theirs().writer.setAsideCounts()).toEqual(new Map([[view.name, 2]]));
      await mine().writer.activate(beside, lease(1));
      expect(await theirs().writer.setAsideCounts()).toEqual(new Map([[view.name, 1]]));
      await mine().writer.activate(await mine().writer.begin(view, lease(1)), lease(1));
      expect((await theirs().writer.setAsideCounts()).get(view.name) ?? 0).toBe(0);
    });
  });

  describe('requests to the holder of the lease', () => {
    it('wait for an answer, which who asked can read', async () => {
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
}
