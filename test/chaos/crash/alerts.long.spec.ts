import { length } from '../../kit/length.js';
import { seeded, seedFolder } from './kit/seeded.js';
import { alertLoop } from './loop/alert-loop.js';

const MINUTE = 60_000;
const kills = length === 'soak' ? 50 : 5;

describe('killing the service while it sends alerts', () => {
  const folder = seedFolder();

  it(
    'tells every condition to every channel, and repeats only attempts without an outcome',
    async () => {
      const tally = await seeded('alerts', (seed) => alertLoop(folder.current, { kills, seed }));
      expect(tally).toMatchObject({ lost: 0, doubled: 0 });
      expect(tally.conditions).toBeGreaterThanOrEqual(kills);
    },
    20 * MINUTE,
  );
});
