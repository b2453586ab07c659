/** Length of the adversarial suites: `CHAOS`, which jest.config.mjs checks. */
export type Length = 'short' | 'long' | 'soak';

export const length = (process.env.CHAOS ?? 'short') as Length;

/** Number of runs, jobs or kills at this length; the environment variable `name` overrides it. */
export function countOf(name: string, counts: Readonly<Record<Length, number>>): number {
  return Number(process.env[name] ?? counts[length]);
}

/** `SEED`, or a new number: print it, so that a failed run can be repeated. */
export function anySeed(): number {
  return Number(process.env.SEED ?? Date.now() % 2 ** 31);
}

/** A fixed seed, so that only a change of the code can fail the run; a soak uses a random one. */
export function fixedSeed(seed: number): number {
  return length === 'soak' ? anySeed() : Number(process.env.SEED ?? seed);
}

/** `describe` for tests that take an hour. Asked by each spec: specs share this module, but not `describe`. */
export function soakSuite(): jest.Describe {
  return length === 'soak' ? describe : describe.skip;
}
