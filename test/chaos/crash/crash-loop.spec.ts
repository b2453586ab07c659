import { crashLoop } from './loop/crash-loop.js';
import { seeded, seedFolder } from './kit/seeded.js';

const KILLS = 5;
const MINUTES = 60_000;

describe('killing the service under load', () => {
  const folder = seedFolder();

  it(
    'at random moments loses nothing, doubles nothing and leaves no job stuck',
    async () => {
      const tally = await seeded('crash loop', (seed) => crashLoop(folder.current, KILLS, seed));
      expect(tally.jobs).toBeGreaterThan(KILLS);
    },
    3 * MINUTES,
  );
});
