import { seeded, seedFolder } from '../crash/kit/seeded.js';
import { webhookLoop } from '../crash/loop/webhook-loop.js';

const MINUTE = 60_000;

describe('killing the service ten times while it tells three webhooks of 2,000 events', () => {
  const folder = seedFolder();

  it(
    'keeps every event for every endpoint, and sends again only what was in flight',
    async () => {
      const tally = await seeded('webhooks', (seed) =>
        webhookLoop(folder.current, { kills: 10, jobs: 100, seed }),
      );
      expect(tally.events).toBeGreaterThanOrEqual(2_000);
    },
    10 * MINUTE,
  );
});
