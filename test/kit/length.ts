/** How far the adversarial suites go: `CHAOS`, as jest.config.mjs has read it. */
export type Length = 'short' | 'long' | 'soak';

export const length: Length = (globalThis as { chaosLength?: Length }).chaosLength ?? 'short';

/** Runs, jobs or kills at this length; the environment variable `name` overrides it. */
export function countOf(name: string, counts: Readonly<Record<Length, number>>): number {
  return Number(process.env[name] ?? counts[length]);
}

/** `SEED`, or a number that no run had before: print it, so that a failed run can be repeated. */
export function anySeed(): number {
  return Number(process.env.SEED ?? Date.now() % 2 ** 31);
}

/** The same requests in every run, so that a change alone can fail it; a soak looks further. */
export function fixedSeed(seed: number): number {
  return length === 'soak' ? anySeed() : Number(process.env.SEED ?? seed);
}

/** For what takes an hour. */
export const describeSoak = length === 'soak' ? describe : describe.skip;
