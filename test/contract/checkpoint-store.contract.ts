import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import type { Fixture } from './implementations.js';

export function checkpointStoreContract(fixture: Fixture): void {
  const store = () => fixture.stores.checkpoints;
  const at = positionFromNumber;

  describe('checkpoints', () => {
    it('are undefined before the first put', async () => {
      expect(await store().get('fan-out')).toBeUndefined();
    });

    it('are stored by name, across a restart', async () => {
      await store().put('fan-out', at(7));
      await store().put('other', at(3));
      await fixture.reopen();

      expect(await store().get('fan-out')).toBe(at(7));
      expect(await store().get('other')).toBe(at(3));
    });

    it('never move back', async () => {
      await store().put('fan-out', at(10));
      await store().put('fan-out', at(9));
      expect(await store().get('fan-out')).toBe(at(10));

      await store().put('fan-out', at(10));
      await Promise.all([12, 11, 100, 99].map((place) => store().put('fan-out', at(place))));
      expect(await store().get('fan-out')).toBe(at(100));
    });
  });
}
