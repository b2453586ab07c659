import { NOON } from '../kit/recorded.js';
import { plus } from '../../src/kernel/time.js';
import type { Fixture } from './implementations.js';

export function livenessStoreContract(fixture: Fixture): void {
  const store = () => fixture.stores.liveness;

  describe('heartbeats', () => {
    it('are readable at once, the latest per key', async () => {
      await store().recordHeartbeat(['computer:1', 'lease:1'], NOON);
      await store().recordHeartbeat(['lease:1'], plus(NOON, 5));

      expect(await store().lastHeartbeats(['lease:1', 'nobody', 'computer:1'])).toEqual([
        plus(NOON, 5),
        undefined,
        NOON,
      ]);
    });

    it('survive a restart unless they were deleted', async () => {
      await store().recordHeartbeat(['computer:1', 'computer:2'], NOON);
      await store().delete(['computer:2', 'nobody']);
      await fixture.reopen();

      expect(await store().lastHeartbeats(['computer:1', 'computer:2'])).toEqual([NOON, undefined]);
    });
  });
}
