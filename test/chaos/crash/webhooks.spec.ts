import { seeded, seedFolder } from './kit/seeded.js';
import { webhookLoop } from './loop/webhook-loop.js';

const MINUTE = 60_000;

describe('killing the service while it tells webhooks', () => {
  const folder = seedFolder();

  it(
    'keeps every event for every endpoint, and sends again only what was in flight',
    async () => {
      const tally = await seeded('webhooks', (seed) =>
        webhookLoop(folder.current, { kills: 3, jobs: 24, seed }),
      );
      expect(tally.events).toBeGreaterThanOrEqual(144);
    },
    MINUTE,
  );
});
