import { countOf, length } from '../../kit/length.js';
import { crashLoop } from './loop/crash-loop.js';
import { seeded, seedFolder } from './kit/seeded.js';

const HOUR = 3_600_000;

describe('killing the service under load', () => {
  const folder = seedFolder();

  it(
    'loses nothing, duplicates nothing, leaves no job stuck, and shows the past as it was answered',
    async () => {
      const kills = countOf('KILLS', { short: 0, long: 3, soak: 100 });
      const answers = countOf('ANSWERS', { short: 0, long: 150, soak: 10_000 });
      const tally = await seeded('crash loop', (seed) => crashLoop(folder.current, kills, answers, seed));
      expect(tally.jobs).toBeGreaterThan(kills);
      expect(tally.answers).toBeGreaterThanOrEqual(answers);
      if (length === 'soak') expect(tally.unanswered).toBeGreaterThan(0);
    },
    HOUR,
  );
});
