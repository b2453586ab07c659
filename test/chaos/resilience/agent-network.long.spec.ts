import { printOverBadNetwork } from '../../kit/bad-network-law.js';
import { anySeed } from '../../kit/length.js';

const JOBS = 60;

describe('printing many jobs over a bad network', () => {
  const seed = anySeed();
  it.each([seed, seed + 1, seed + 2])('prints every job once through every fault (seed %i)', async (each) => {
    expect(await printOverBadNetwork(each, JOBS, 150_000)).toEqual([]);
  });
});
