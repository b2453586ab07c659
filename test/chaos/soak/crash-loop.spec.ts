import { seeded, seedFolder } from '../crash/kit/seeded.js';
import { crashLoop } from '../crash/loop/crash-loop.js';

const KILLS = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('killing the service under load, a hundred times', () => {
  const folder = seedFolder();

  it(
    'loses nothing, doubles nothing and leaves no job stuck',
    async () => {
      const tally = await seeded('crash loop', (seed) => crashLoop(folder.current, KILLS, seed));
      expect(tally.unanswered).toBeGreaterThan(0);
    },
    HOUR,
  );
});
