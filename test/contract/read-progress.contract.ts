import { positionFromNumber as at } from '../../src/event-sourcing/write/event-codec.js';
import { lease, type WriterFixture } from './writer-fixture.js';

/** A writer learns when readers see its write. */
export function readProgressContract(fixture: WriterFixture): void {
  const mine = () => fixture.instances[0];
  const theirs = () => fixture.instances[1];

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
