import { anySeed, countOf, fixedSeed, length, type Length } from '../kit/length.js';
import { runSimulation } from './child.js';

/** Of each customer. A bound of jobs, not of time: a slow machine runs as many. */
const JOBS: Readonly<Record<string, Readonly<Record<Length, number>>>> = {
  // A short one is the first test.
  shop: { short: 0, long: 120, soak: 120 },
  partner: { short: 5, long: 40, soak: 40 },
  disk: { short: 10, long: 80, soak: 80 },
};

describe('a simulation', () => {
  it('repeats itself, step by step, from its seed, and breaks no promise in the scenario shop', async () => {
    const options = ['--scenario', 'shop', '--seed', '1', '--repeat', '2', '--jobs', '20'];
    const { violations, hashes } = await runSimulation(...options);
    expect(violations).toEqual([]);
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toBe(hashes[1]);
  });

  const scenarios = Object.keys(JOBS).filter((scenario) => JOBS[scenario]![length] > 0);
  it.each(scenarios)('breaks no promise in the scenario %s', async (scenario) => {
    // `npm test` repeats a seed, so that only a change of the code can fail it; longer runs look for new faults.
    const seed = length === 'short' ? fixedSeed(1) : anySeed();
    process.stderr.write(`simulation: npm run sim -- --scenario ${scenario} --seed ${seed}\n`);
    const runs = String(countOf('RUNS', { short: 1, long: 5, soak: 5_000 }));
    const jobs = String(JOBS[scenario]![length]);
    const { violations, text } = await runSimulation(
      ...['--scenario', scenario, '--seed', String(seed), '--runs', runs, '--jobs', jobs],
    );
    expect(violations).toEqual([]);
    expect(text).toContain(`seed ${seed}: `);
  });
});
