import { openAccount } from '../../../kit/world.js';
import { Fleet } from './kit/fleet.js';
import { killAndRestart } from './kit/kills.js';
import { pause } from '../../../kit/polling.js';

/** Maximum time until a revoked key stops working on every instance. */
const WITHIN_MS = 1_000;

describe('revoking a key while no projector runs', () => {
  it('takes effect everywhere within a second, even on an instance that has just started', async () => {
    const fleet = await Fleet.start(['api', 'api', 'worker']);
    try {
      const { accountId, key: as } = await openAccount(fleet);
      const { items } = await fleet.operate('GET', `/accounts/${accountId}/keys`);
      const [{ key_id } = { key_id: '' }] = items as { key_id: string }[];
      const statuses = () =>
        Promise.all(
          fleet.serving.map(
            async (one) => (await one.process.call('GET', '/svc-api-account', { as })).status,
          ),
        );
      expect(await statuses()).toEqual([200, 200]);
      const [restarted, , worker] = fleet.instances;
      await fleet.kill(worker!);
      await fleet.operate('POST', `/keys/${key_id}/revoke`, {});
      await pause(WITHIN_MS);

      expect(await statuses()).toEqual([401, 401]);
      await killAndRestart(fleet, restarted!);
      expect(await statuses()).toEqual([401, 401]);
    } finally {
      await fleet.remove();
    }
  });
});
