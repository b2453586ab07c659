import { kindOf, shrink } from './shrink.js';

describe('shrinking a failing run', () => {
  it('finds the fewest jobs and only the faults that it needs', async () => {
    const breaks = async ({ jobs, without, seed }: Parameters<Parameters<typeof shrink>[2]>[0]) =>
      jobs >= 7 && !without.includes('clone') && seed % 2 === 0;
    const failing = { seed: 2, jobs: 40, without: [] };
    expect(await shrink(failing, ['stores', 'clone', 'cut'], breaks)).toEqual({
      seed: 2,
      jobs: 7,
      without: ['stores', 'cut'],
    });
  });

  it('compares violations without their ids and times', () => {
    const of = (id: string, at: number) => `job 019b8d2b-${id} was leased at ${at} while suspended`;
    expect(kindOf(of('be0c-70b7-8d22-49d73c5c3742', 17))).toBe(kindOf(of('c35f-70b7-8d22-49d73c5c3701', 4)));
    expect(kindOf('view job-view differs')).not.toBe(kindOf('view timers differs'));
  });
});
