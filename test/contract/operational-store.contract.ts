import { NOON } from '../kit/recorded.js';
import { plus } from '../../src/kernel/time.js';
import type { Fixture } from './implementations.js';

export function operationalStoreContract(fixture: Fixture): void {
  const store = () => fixture.stores.operational;

  describe('signs of life', () => {
    it('are seen at once, the last of each key', async () => {
      await store().beat(['computer:1', 'lease:1'], NOON);
      await store().beat(['lease:1'], plus(NOON, 5));

      expect(await store().lastBeats(['lease:1', 'nobody', 'computer:1'])).toEqual([
        plus(NOON, 5),
        undefined,
        NOON,
      ]);
    });

    it('are kept over a restart', async () => {
      await store().beat(['computer:1', 'computer:2'], NOON);
      await store().forget(['computer:2']);
      await fixture.reopen();

      expect(await store().lastBeats(['computer:1', 'computer:2'])).toEqual([NOON, undefined]);
    });

    it('are dropped when they are forgotten or too old', async () => {
      await store().beat(['a', 'b'], NOON);
      await store().beat(['c'], plus(NOON, 1));
      await store().forget(['b', 'nobody']);
      await store().sweep(plus(NOON, 1));
      await fixture.reopen();

      expect(await store().lastBeats(['a', 'b', 'c'])).toEqual([undefined, undefined, plus(NOON, 1)]);
    });
  });
}
