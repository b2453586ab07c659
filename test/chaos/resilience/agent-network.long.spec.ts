import { printOverBadNetwork } from '../../kit/bad-network-law.js';
import { anySeed, countOf } from '../../kit/length.js';

const JOBS = 60;
const RUNS = countOf('RUNS', { short: 1, long: 1, soak: 3 });

describe('printing many jobs over a bad network', () => {
  const seed = anySeed();
  it.each(Array.from({ length: RUNS }, (_, n) => seed + n))(
    'prints every job once through every fault (seed %i)',
    async (each) => {
      expect(await printOverBadNetwork(each, JOBS, 150_000)).toEqual([]);
    },
  );
});
