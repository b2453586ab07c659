import { length } from '../../kit/length.js';
import { seeded, seedFolder } from './kit/seeded.js';
import { webhookLoop } from './loop/webhook-loop.js';

const MINUTE = 60_000;
const { atLeast, ...load } =
  length === 'soak' ? { kills: 10, jobs: 100, atLeast: 2_000 } : { kills: 3, jobs: 24, atLeast: 144 };

describe('killing the service while it sends webhooks', () => {
  const folder = seedFolder();

  it(
    'delivers every event to every endpoint, and repeats only deliveries in flight',
    async () => {
      const tally = await seeded('webhooks', (seed) => webhookLoop(folder.current, { ...load, seed }));
      expect(tally.events).toBeGreaterThanOrEqual(atLeast);
    },
    10 * MINUTE,
  );
});
